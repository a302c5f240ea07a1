package dev.levee.learners.layers;

/**
 * Computes the outputs of layers for samples in evaluation mode: no dropout, running statistics.
 * Equal samples give equal bits, independent of the rest of the batch. It is used by one thread at
 * a time.
 */
public interface Forward extends AutoCloseable {
    /**
     * Returns the outputs of samples, one after another.
     *
     * @param samples {@code count} samples of the section's input shape, one after another
     * @throws OutOfMemoryError if there is not enough memory for the micro-batch
     */
    float[] outputs(float[] samples, int count);

    /**
     * Returns the calling thread's processor seconds for each step of the previous pass, in order.
     */
    double[] seconds();

    @Override
    void close();
}
