package dev.levee.k8s.allocator;

import java.time.Instant;

/**
 * What a user asked for; never changes while the job lives.
 *
 * @param id unique name
 * @param submitted when it was submitted, which is its place in the queue
 * @param minWorkers fewest workers: the larger of the user's minimum and of what the job's
 *     aggregation rule needs (Krum with f = 3: 9)
 * @param maxWorkers most workers
 * @param startWorkers workers that it starts with where there is room
 * @param localBatch samples per worker and round; batch scaling never goes below it
 * @param maxGlobalBatch most samples per round over all workers; bounds growth in both dimensions
 * @param learningRate learning rate at {@code startWorkers × localBatch} samples per round
 * @param batches batches that a policy may choose which knows what a larger one is worth
 * @param pausable true if it may lose all its workers and go on later; otherwise it keeps its
 *     minimum once it runs
 */
public record JobSpec(
        String id,
        Instant submitted,
        int minWorkers,
        int maxWorkers,
        int startWorkers,
        int localBatch,
        long maxGlobalBatch,
        double learningRate,
        BatchRange batches,
        boolean pausable) {
    /**
     * Checks the bounds against each other.
     *
     * @throws IllegalArgumentException if they contradict; one sentence
     */
    public JobSpec {
        if (minWorkers < 1 || startWorkers < minWorkers || maxWorkers < startWorkers) {
            throw new IllegalArgumentException(
                    "%s: workers must satisfy 1 ≤ min ≤ start ≤ max, got min %d, start %d, max %d"
                            .formatted(id, minWorkers, startWorkers, maxWorkers));
        }
        if (localBatch < 1 || maxGlobalBatch < (long) startWorkers * localBatch) {
            throw new IllegalArgumentException(
                    "%s: the largest global batch must be at least start workers × local batch = %d, got %d"
                            .formatted(id, (long) startWorkers * localBatch, maxGlobalBatch));
        }
        if (maxGlobalBatch < (long) minWorkers * batches.leastLocal()) {
            throw new IllegalArgumentException(
                    "%s: the largest global batch must be at least min workers × fewest samples of a worker = %d, got %d"
                            .formatted(
                                    id, (long) minWorkers * batches.leastLocal(), maxGlobalBatch));
        }
    }

    /** That may be paused. */
    public JobSpec(
            String id,
            Instant submitted,
            int minWorkers,
            int maxWorkers,
            int startWorkers,
            int localBatch,
            long maxGlobalBatch,
            double learningRate,
            BatchRange batches) {
        this(
                id,
                submitted,
                minWorkers,
                maxWorkers,
                startWorkers,
                localBatch,
                maxGlobalBatch,
                learningRate,
                batches,
                true);
    }

    /** Tuned for the batch that it starts with, and never below that local batch. */
    public JobSpec(
            String id,
            Instant submitted,
            int minWorkers,
            int maxWorkers,
            int startWorkers,
            int localBatch,
            long maxGlobalBatch,
            double learningRate) {
        this(
                id,
                submitted,
                minWorkers,
                maxWorkers,
                startWorkers,
                localBatch,
                maxGlobalBatch,
                learningRate,
                new BatchRange(
                        Math.max(1, (long) startWorkers * localBatch),
                        Math.max(1, localBatch),
                        Integer.MAX_VALUE,
                        false));
    }
}
