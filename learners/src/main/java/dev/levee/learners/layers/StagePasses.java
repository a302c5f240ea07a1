package dev.levee.learners.layers;

import dev.levee.connectors.data.Batch;

/**
 * Forward and backward passes of some neighboring layers of a network in training mode, which are
 * one stage of a pipeline. Several micro-batches may be between their two passes at a time. Passes
 * give the bits that the same layers have within the whole network. Used by one thread at a time,
 * not always the same.
 */
public interface StagePasses extends AutoCloseable {
    /**
     * The result of a backward pass.
     *
     * @param slope gradient of the micro-batch's mean loss by the stage's inputs; null in the first
     *     stage, which needs none
     * @param values the same by the stage's own parameters, followed by the new values of its
     *     buffers, as the layout of its section says
     */
    record Backward(float[] slope, float[] values) {}

    /**
     * Begins a step, and forgets what is left of the one before.
     *
     * @param parameters flat vector of the section; not changed
     */
    void begin(float[] parameters);

    /**
     * Computes the outputs of a micro-batch and keeps what its backward pass needs.
     *
     * @param microBatch its index
     * @param inputs samples of the section's input shape, one after the other
     * @param count number of samples
     * @param seed for what is random inside the layers
     * @return the outputs, one sample after the other
     * @throws OutOfMemoryError if there is not enough memory
     */
    float[] forward(int microBatch, float[] inputs, int count, long seed);

    /**
     * The loss of a network's outputs; of the last stage only.
     *
     * @param outputs one sample after the other
     * @param answers labels or targets of the samples; its features are not read
     * @param slope receives the gradient of the mean loss by the outputs
     * @return the mean loss
     */
    double loss(float[] outputs, Batch answers, float[] slope);

    /**
     * Computes gradients of a micro-batch, and frees what its forward pass has kept.
     *
     * @param slope gradient of the micro-batch's mean loss by the stage's outputs
     * @param into the array that the values are to be in, whatever it has; null for a new one
     */
    Backward backward(int microBatch, float[] slope, float[] into);

    /** A step has ended, and its parameters are not needed any more. */
    default void end() {}

    /**
     * The most bytes that tensors of a step took at a time since the first one: parameters, their
     * gradients, and what forward passes keep for backward passes. What the engine keeps for itself
     * (positions of maxima, scratch memory) is not known and not counted.
     */
    long peakBytes();

    @Override
    void close();
}
