package dev.levee.k8s.allocator;

import java.time.Instant;

/**
 * A user's request for a job; it never changes during the job.
 *
 * @param id unique name
 * @param submitted time of submission, which determines the place in the queue
 * @param bounds limits of its workers and samples
 * @param batches batches that a policy may choose if it knows the value of a larger batch
 * @param pausable true if the job may lose all its workers and continue later; otherwise it keeps
 *     its minimum once it runs
 * @param speeds speeds of the job on each class of slots, as declared before it has run there
 */
public record JobSpec(
        String id,
        Instant submitted,
        JobBounds bounds,
        BatchRange batches,
        boolean pausable,
        SlotSpeeds speeds) {
    /**
     * Checks the bounds against each other.
     *
     * @throws IllegalArgumentException if bounds contradict each other; one sentence
     */
    public JobSpec {
        int min = bounds.minWorkers();
        int start = bounds.startWorkers();
        if (min < 1 || start < min || bounds.maxWorkers() < start) {
            throw new IllegalArgumentException(
                    "%s: workers must satisfy 1 ≤ min ≤ start ≤ max, got min %d, start %d, max %d"
                            .formatted(id, min, start, bounds.maxWorkers()));
        }
        if (bounds.localBatch() < 1 || bounds.maxGlobalBatch() < bounds.startBatch()) {
            throw new IllegalArgumentException(
                    "%s: the largest global batch must be at least start workers × local batch = %d, got %d"
                            .formatted(id, bounds.startBatch(), bounds.maxGlobalBatch()));
        }
        long least = (long) min * batches.leastLocal();
        if (bounds.maxGlobalBatch() < least) {
            throw new IllegalArgumentException(
                    "%s: the largest global batch must be at least min workers × fewest samples of a worker = %d, got %d"
                            .formatted(id, least, bounds.maxGlobalBatch()));
        }
    }

    /** A job whose speeds are assumed to equal the classes' speeds until they are measured. */
    public JobSpec(
            String id, Instant submitted, JobBounds bounds, BatchRange batches, boolean pausable) {
        this(id, submitted, bounds, batches, pausable, SlotSpeeds.NOMINAL);
    }

    /** A job that may be paused, is tuned for its initial batch, and keeps that local batch. */
    public JobSpec(String id, Instant submitted, JobBounds bounds) {
        this(
                id,
                submitted,
                bounds,
                new BatchRange(
                        Math.max(1, bounds.startBatch()),
                        Math.max(1, bounds.localBatch()),
                        Integer.MAX_VALUE,
                        false),
                true);
    }
}
