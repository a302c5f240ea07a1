package dev.levee.learners.layers;

/**
 * Measures the time of each step of a section in training mode. It runs the same operations as
 * {@link StagePasses}, but one step at a time. Used by one thread.
 */
public interface TrainingTimer extends AutoCloseable {
    /**
     * Seconds of a micro-batch's passes through each step.
     *
     * @param forward seconds of forward passes, with recording
     * @param backward seconds of backward passes: computing gradients, copying them, adding them to
     *     those of other micro-batches, and freeing what the forward pass kept
     */
    record Seconds(double[] forward, double[] backward) {}

    /**
     * Runs both passes of a micro-batch.
     *
     * @throws OutOfMemoryError if there is not enough memory
     */
    Seconds pass();

    @Override
    void close();
}
