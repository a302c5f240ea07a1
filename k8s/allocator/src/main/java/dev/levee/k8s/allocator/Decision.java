package dev.levee.k8s.allocator;

/**
 * A job's share until the next decision.
 *
 * @param job its name
 * @param workers its workers; 0 if it waits
 * @param localBatch samples per worker and round
 * @param learningRate the learning rate that goes with the global batch
 * @param why the reason, for a person
 * @param slowest speed below which it may have no slot; 0 if any will do
 * @param moves true if it should be placed anew although it keeps its number of workers
 */
public record Decision(
        String job,
        int workers,
        int localBatch,
        double learningRate,
        String why,
        double slowest,
        boolean moves) {
    /** A decision that leaves the job on its slots unless its number of workers changes. */
    public Decision(
            String job,
            int workers,
            int localBatch,
            double learningRate,
            String why,
            double slowest) {
        this(job, workers, localBatch, learningRate, why, slowest, false);
    }

    /** A decision for workers on any slots. */
    public Decision(String job, int workers, int localBatch, double learningRate, String why) {
        this(job, workers, localBatch, learningRate, why, 0);
    }

    /** The same with another learning rate. */
    public Decision withLearningRate(double rate) {
        return new Decision(job, workers, localBatch, rate, why, slowest, moves);
    }
}
