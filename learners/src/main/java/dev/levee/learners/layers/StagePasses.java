package dev.levee.learners.layers;

import dev.levee.connectors.data.Batch;

/**
 * Forward and backward passes of neighboring layers of a network in training mode. The layers are
 * one stage of a pipeline. Several micro-batches may be between their two passes at the same time.
 * Results have the same bits as in a pass through the whole network. Used by one thread at a time,
 * but not always by the same thread.
 */
public interface StagePasses extends AutoCloseable {
    /**
     * The result of a backward pass.
     *
     * @param slope gradient of the micro-batch's mean loss with respect to the stage's inputs; null
     *     in the first stage, which does not need it
     * @param values gradient with respect to the stage's own parameters, followed by the new values
     *     of its buffers, in the layout of the stage's section
     */
    record Backward(float[] slope, float[] values) {}

    /**
     * Begins a step, and discards what is left of the previous step.
     *
     * @param parameters flat vector of the section; not changed
     */
    void begin(float[] parameters);

    /**
     * Computes the outputs of a micro-batch and keeps what its backward pass needs.
     *
     * @param microBatch index of the micro-batch
     * @param inputs samples of the section's input shape, one after another
     * @param count number of samples
     * @param seed seed of the random choices inside the layers
     * @return the outputs, one sample after another
     * @throws OutOfMemoryError if there is not enough memory
     */
    float[] forward(int microBatch, float[] inputs, int count, long seed);

    /**
     * Computes the loss of a network's outputs. Only the last stage supports this.
     *
     * @param outputs outputs, one sample after another
     * @param answers labels or targets of the samples; the features of this batch are not read
     * @param slope receives the gradient of the mean loss with respect to the outputs
     * @return the mean loss
     */
    double loss(float[] outputs, Batch answers, float[] slope);

    /**
     * Computes gradients of a micro-batch, and frees what its forward pass kept.
     *
     * @param slope gradient of the micro-batch's mean loss with respect to the stage's outputs
     * @param into receives the values, and may contain anything before; null for a new array
     */
    Backward backward(int microBatch, float[] slope, float[] into);

    /** Ends a step, whose parameters are no longer needed. */
    default void end() {}

    /**
     * Peak memory of a step's tensors in bytes, over all steps so far. It counts parameters, their
     * gradients, and what forward passes keep for backward passes. Memory that the engine uses
     * internally (positions of maxima, scratch memory) is unknown and not counted.
     */
    long peakBytes();

    @Override
    void close();
}
