package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.Progress;

/** The behavior of one simulated job. It runs in stages, each with a constant pace. */
public interface JobBehaviour {
    /**
     * The pace in the current stage.
     *
     * @param workersByNode workers on each of its nodes
     * @param localBatch samples per worker and round
     * @param speed relative speed of its slowest node, for which all others wait
     */
    Pace pace(int[] workersByNode, int localBatch, double speed);

    /** Progress left in the current stage. */
    double leftInStage();

    /** Makes progress within the current stage. */
    void progress(double amount);

    /** Ends the current stage. */
    void endStage();

    /** True after the last stage. */
    boolean finished();

    /** Samples left to process at this global batch. */
    double remainingSamples(long globalBatch);

    /**
     * The progress, and the noise scale as measured at this global batch.
     *
     * @param globalBatch samples per round
     */
    Progress reached(long globalBatch);

    /** True if a local batch fits into a worker's memory. */
    boolean fits(int localBatch);
}
