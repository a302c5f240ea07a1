package dev.levee.operators.rounds;

/**
 * Within which bounds the workers and the batch of a run may change while it runs. Its number of
 * active workers follows the parallelism of its job; its batch follows the newest control. It ends
 * after as many samples as it would have taken without a change.
 *
 * @param minWorkers fewest active workers, at least what the rule needs
 * @param maxWorkers most active workers
 * @param maxBatch most samples per round over all workers
 * @param workerMemory bytes that one gradient may take; a batch that takes more is halved. 0 for no
 *     limit but what the machine has
 * @param learningRate step size before its schedule, at the batch the run starts with
 * @param control URI of the file that tells the batch, on any file system that Flink knows; null
 *     for none
 */
public record Elasticity(
        int minWorkers,
        int maxWorkers,
        long maxBatch,
        long workerMemory,
        double learningRate,
        String control)
        implements Plan {
    private static final long serialVersionUID = 1L;

    /** The same, told by a file. */
    public Elasticity controlledBy(String uri) {
        return new Elasticity(minWorkers, maxWorkers, maxBatch, workerMemory, learningRate, uri);
    }

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if they contradict; one sentence
     */
    public Elasticity {
        if (minWorkers < 1 || maxWorkers < minWorkers) {
            throw new IllegalArgumentException(
                    "workers must satisfy 1 ≤ min ≤ max, got min "
                            + minWorkers
                            + ", max "
                            + maxWorkers);
        }
    }

    @Override
    public Settings at(Training training, long round) {
        if (round > 0) {
            throw new UnsupportedOperationException(
                    "an elastic run cannot go on from a published model alone: how far it is is no"
                            + " function of the version");
        }
        return Settings.of(training, 0, Cohort.first(training.workers()));
    }

    @Override
    public Planner planner(Training training, PlanState state) {
        return new ElasticPlanner(training, this, state);
    }

    @Override
    public int participants(Training training) {
        return maxWorkers;
    }

    @Override
    public int permanent(Training training) {
        return minWorkers;
    }

    @Override
    public boolean measuresEffort() {
        return true;
    }

    @Override
    public boolean oneOrder() {
        return true;
    }

    /** A worker's momentum would be out of date when it is needed again. */
    @Override
    public boolean freshOnReturn() {
        return true;
    }

    @Override
    public String crowd(Training training) {
        return minWorkers + " to " + maxWorkers;
    }
}
