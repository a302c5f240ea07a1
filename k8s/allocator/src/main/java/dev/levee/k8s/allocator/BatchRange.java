package dev.levee.k8s.allocator;

/**
 * The batches that a job may have if the policy chooses them by the gradient's noise scale. The
 * largest batch of a whole round is {@link JobBounds#maxGlobalBatch()}.
 *
 * @param reference samples per round that count as one round of progress: the batch for which the
 *     user tuned the job, or the smallest batch with which it trains well
 * @param leastLocal minimum samples per worker and round
 * @param mostLocal maximum samples that a worker computes at once; {@link Integer#MAX_VALUE} if
 *     only memory limits it
 * @param accumulates true if a worker can add up the gradients of several passes in a round, so
 *     that {@code mostLocal} bounds a pass and not the round
 */
public record BatchRange(long reference, int leastLocal, int mostLocal, boolean accumulates) {
    /**
     * Checks signs and order.
     *
     * @throws IllegalArgumentException if values contradict each other; one sentence
     */
    public BatchRange {
        if (reference < 1 || leastLocal < 1 || mostLocal < 1) {
            throw new IllegalArgumentException(
                    "batches must be at least 1, got reference %d, least local %d, most local %d"
                            .formatted(reference, leastLocal, mostLocal));
        }
        if (mostLocal < leastLocal && !accumulates) {
            throw new IllegalArgumentException(
                    "the most samples of a worker must be at least the fewest, %d, got %d"
                            .formatted(leastLocal, mostLocal));
        }
    }

    /** A worker's share of the reference batch, but at least {@link #leastLocal}. */
    public int share(int workers) {
        return (int) Math.max(leastLocal, (reference + workers - 1) / workers);
    }
}
