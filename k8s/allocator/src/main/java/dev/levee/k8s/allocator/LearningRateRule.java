package dev.levee.k8s.allocator;

/** Scales the learning rate with the global batch. */
@FunctionalInterface
public interface LearningRateRule {
    /** Scales in proportion to the batch (Goyal et al. 2017, §2.1). */
    LearningRateRule LINEAR = (rate, base, batch) -> rate * batch / base;

    /** Scales with the square root of the batch (Krizhevsky 2014, §3). */
    LearningRateRule SQUARE_ROOT = (rate, base, batch) -> rate * Math.sqrt(batch / (double) base);

    /**
     * The learning rate at another global batch.
     *
     * @param rate learning rate at the base batch
     * @param base samples per round for which the user tuned the learning rate
     * @param batch samples per round now
     */
    double scaled(double rate, long base, long batch);

    /** The learning rate of a job with the given workers and local batch. */
    default double of(JobSpec spec, int workers, int localBatch) {
        long base = spec.bounds().startBatch();
        return scaled(spec.bounds().learningRate(), base, (long) Math.max(1, workers) * localBatch);
    }
}
