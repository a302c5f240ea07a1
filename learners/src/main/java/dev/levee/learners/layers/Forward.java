package dev.levee.learners.layers;

/**
 * Computes the outputs of layers for samples: no dropout, running statistics. Equal samples give
 * equal bits, independent of the rest of the batch. Used by one thread at a time.
 */
public interface Forward extends AutoCloseable {
    /**
     * Outputs of samples, one after the other.
     *
     * @param samples {@code count} samples of the section's input shape, one after the other
     * @throws OutOfMemoryError if there is not enough memory for the micro-batch
     */
    float[] outputs(float[] samples, int count);

    /** Processor seconds of the calling thread for each step in the pass before, in order. */
    double[] seconds();

    @Override
    void close();
}
