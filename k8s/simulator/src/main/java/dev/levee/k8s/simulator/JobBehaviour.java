package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.Progress;

/** One simulated job's progress. It goes in stages, within which its pace is constant. */
public interface JobBehaviour {
    /**
     * Its pace in the present stage.
     *
     * @param workersByNode workers on each of its nodes
     * @param localBatch samples per worker and round
     * @param speed relative speed of the slowest of its nodes, which all others wait for
     */
    Pace pace(int[] workersByNode, int localBatch, double speed);

    /** Progress that is missing to the end of the present stage. */
    double leftInStage();

    /** Makes progress within the stage. */
    void progress(double amount);

    /** Ends the stage. */
    void endStage();

    /** True after the last stage. */
    boolean finished();

    /** Samples that it still has to process at this global batch. */
    double remainingSamples(long globalBatch);

    /**
     * The progress, and the noise scale as measured at this global batch.
     *
     * @param globalBatch samples per round
     */
    Progress reached(long globalBatch);

    /** True if a worker's memory holds such a local batch. */
    boolean fits(int localBatch);
}
