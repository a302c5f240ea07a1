package dev.levee.k8s.simulator;

/** A job of one stage, which ends after a given amount of progress. */
abstract class OneStageJob implements JobBehaviour {
    private final double length;
    private double left;
    private boolean finished;

    /**
     * Creates a job at its start.
     *
     * @param length progress to its end, in the job's own unit
     */
    OneStageJob(double length) {
        this.length = length;
        this.left = length;
    }

    /** Progress per round at this global batch. */
    abstract double gain(long globalBatch);

    /** Progress made so far. */
    final double made() {
        return length - left;
    }

    @Override
    public final double leftInStage() {
        return left;
    }

    @Override
    public final void progress(double amount) {
        left = Math.max(0, left - amount);
    }

    @Override
    public final void endStage() {
        left = 0;
        finished = true;
    }

    @Override
    public final boolean finished() {
        return finished;
    }

    @Override
    public final double remainingSamples(long globalBatch) {
        return left * globalBatch / gain(globalBatch);
    }
}
