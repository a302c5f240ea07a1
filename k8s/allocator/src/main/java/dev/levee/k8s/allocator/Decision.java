package dev.levee.k8s.allocator;

/**
 * A job's share until the next decision.
 *
 * @param job name of the job
 * @param workers number of its workers; 0 if it waits
 * @param localBatch samples per worker and round
 * @param learningRate the learning rate for the global batch
 * @param why the reason, for people
 * @param slowest minimum speed of its slots; 0 for any
 * @param moves true if the job should be placed again although its number of workers stays
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

    /** This decision with another learning rate. */
    public Decision withLearningRate(double rate) {
        return new Decision(job, workers, localBatch, rate, why, slowest, moves);
    }
}
