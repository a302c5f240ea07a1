package dev.levee.learners.layers;

/**
 * Measures what each step of a section takes in training mode, with the same operations as {@link
 * StagePasses}, but one step at a time. Used by one thread.
 */
public interface TrainingTimer extends AutoCloseable {
    /**
     * Seconds of a micro-batch's passes through each step.
     *
     * @param forward with recording
     * @param backward gradients, their copy and their sum with those of other micro-batches, and
     *     freeing what the forward pass has kept
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
