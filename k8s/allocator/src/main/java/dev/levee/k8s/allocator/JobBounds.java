package dev.levee.k8s.allocator;

/**
 * The limits of a job's size, and its size at the start.
 *
 * @param minWorkers fewest workers: the user's minimum or the aggregation rule's, whichever is
 *     larger (Krum with f = 3: 9)
 * @param maxWorkers most workers
 * @param startWorkers workers that it starts with if there is room
 * @param localBatch samples per worker and round; batch scaling never goes below this value
 * @param maxGlobalBatch most samples per round over all workers; limits growth in both dimensions
 * @param learningRate learning rate at {@code startWorkers × localBatch} samples per round; NaN if
 *     unknown
 */
public record JobBounds(
        int minWorkers,
        int maxWorkers,
        int startWorkers,
        int localBatch,
        long maxGlobalBatch,
        double learningRate) {
    /** Samples per round at the start. */
    public long startBatch() {
        return (long) startWorkers * localBatch;
    }
}
