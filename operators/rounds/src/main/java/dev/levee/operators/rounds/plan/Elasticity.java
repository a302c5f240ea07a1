package dev.levee.operators.rounds.plan;

import static dev.levee.operators.rounds.fault.WrongTrainingException.checked;
import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.Rule;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.training.CountOrShare;
import dev.levee.operators.rounds.training.Data;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.Training;

/**
 * Bounds of an elastic run, whose workers and batch may change. The number of active workers
 * follows the parallelism of the job; the batch follows the newest control. The run ends after the
 * same progress as without changes.
 *
 * @param minWorkers fewest active workers, at least what the rule needs
 * @param maxWorkers most active workers
 * @param maxBatch most samples per round over all workers
 * @param workerMemory bytes that one gradient may take; a batch that takes more is halved. 0 for no
 *     limit except the machine's memory
 * @param learningRate step size before its schedule, at the initial batch
 * @param scaling the progress and step size of a round with another batch
 * @param control URI of the control file, on any file system that Flink supports; null for none
 */
public record Elasticity(
        int minWorkers,
        int maxWorkers,
        long maxBatch,
        long workerMemory,
        double learningRate,
        BatchScaling scaling,
        String control)
        implements Plan {
    /** Limit of the parallelism, and hence of the number of workers. */
    public static final int MOST_WORKERS = 256;

    /** Elasticity of a run whose progress is proportional to samples. */
    public Elasticity(
            int minWorkers,
            int maxWorkers,
            long maxBatch,
            long workerMemory,
            double learningRate,
            String control) {
        this(
                minWorkers,
                maxWorkers,
                maxBatch,
                workerMemory,
                learningRate,
                BatchScaling.LINEAR,
                control);
    }

    @Override
    public Elasticity controlledBy(String uri) {
        return new Elasticity(
                minWorkers, maxWorkers, maxBatch, workerMemory, learningRate, scaling, uri);
    }

    /**
     * Checks the bounds.
     *
     * @throws WrongTrainingException if they contradict; one sentence
     */
    public Elasticity {
        require(
                minWorkers >= 1 && maxWorkers >= minWorkers,
                "{elastic} must satisfy 1 ≤ min ≤ max, got min %s, max %s",
                minWorkers,
                maxWorkers);
        require(
                maxWorkers <= MOST_WORKERS,
                "{elastic} max must be at most %s, got %s",
                MOST_WORKERS,
                maxWorkers);
        require(workerMemory >= 0, "{workerMemory} must not be negative, got %s", workerMemory);
        require(
                learningRate > 0 && Double.isFinite(learningRate),
                "{learningRate} must be a number above 0, got %s",
                learningRate);
    }

    @Override
    public void check(Training training) {
        int workers = training.workers();
        require(
                minWorkers <= workers && workers <= maxWorkers,
                "{workers} must be within {elastic} min=%s,max=%s, because the run starts with them, got"
                        + " %s",
                minWorkers,
                maxWorkers,
                workers);
        Data data = training.data();
        long nominal = (long) workers * data.batchSize();
        require(
                maxBatch >= nominal,
                "{elastic} max-batch must be at least {workers} × {batchSize} = %s, got %s",
                nominal,
                maxBatch);
        require(
                waitsForAll(training)
                        || !(training.admission().quorum() instanceof CountOrShare.Count),
                "{elastic} needs synchronous rounds, or a {quorum} that is a share of the workers"
                        + " such as 80%%, got %s",
                training.admission().quorum());
        require(
                data.partition() == null || data.partition().name().equals("iid"),
                "{elastic} needs {partition} iid, because workers that come and go share all data,"
                        + " got %s",
                data.partition() == null ? "none" : data.partition().name());
        require(
                training.attackers().count() < minWorkers,
                "{attackers} must be fewer than min of {elastic}, which is %s: attackers and at"
                        + " least one honest worker must always run, got %s",
                minWorkers,
                training.attackers().count());
        for (int n = minWorkers; n <= maxWorkers; n++) {
            if (training.work().cohort(n) == n) {
                checkRounds(training, n);
            }
        }
        String model = training.model() == null ? "" : training.model().name();
        boolean python = model.startsWith("python:");
        require(
                workerMemory == 0 || !python && !model.startsWith("file:"),
                "{workerMemory} cannot be measured for a %s file: leave it out",
                python ? "Python" : "TorchScript");
        require(
                training.topology().servers() == 1,
                "{elastic} needs one server, because each of several would decide the next round, got %s"
                        + " {servers}",
                training.topology().servers());
    }

    /** Checks that a round of n workers has enough rows for the rule. */
    private void checkRounds(Training training, int n) {
        int f = training.byzantine(n);
        int q = quorum(training, n);
        Rule rule = training.rule().among(n);
        int least = Math.max(rule.minimumRows(f), f + 1);
        require(
                n > minWorkers || q < n || n >= least,
                "{elastic} min must be at least %s, which %s needs with f = %s, got %s",
                least,
                training.rule().name(),
                f,
                n);
        require(
                q >= least,
                "{elastic} allows rounds of %s workers that close with %s gradients, of which"
                        + " {byzantine} %s are %s: %s needs %s",
                n,
                q,
                training.tolerance(),
                f,
                training.rule().name(),
                least);
        require(
                q == n || q <= n - f,
                "{quorum} must be at most n − f so that silent Byzantine workers cannot block a"
                        + " round: of %s workers {byzantine} %s are %s, and {quorum} %s are %s",
                n,
                training.tolerance(),
                f,
                training.admission().quorum(),
                q);
        checked(
                "{elastic} allows rounds of " + n + " workers",
                () -> rule.check(training.admission().fullest(n), f));
    }

    /** True if rounds wait for all participants, whatever their number. */
    private static boolean waitsForAll(Training training) {
        return training.admission().quorum() instanceof CountOrShare.Count count
                && count.count() == training.workers();
    }

    /** Contributions that close a round of n workers. */
    static int quorum(Training training, int n) {
        return waitsForAll(training) ? n : training.admission().quorum(n);
    }

    @Override
    public Settings at(Training training, long round) {
        if (round > 0) {
            throw new UnsupportedOperationException(
                    "an elastic run cannot continue from a published model alone: the version does"
                            + " not determine its progress");
        }
        return training.settings(0, Cohort.first(training.workers()));
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
    public boolean followsParallelism() {
        return true;
    }

    @Override
    public boolean measuresEffort() {
        return true;
    }

    /**
     * True if the gradient's noise is measured: for the progress of rounds, or for an allocator.
     */
    @Override
    public boolean measuresNoise() {
        return true;
    }

    @Override
    public boolean oneOrder() {
        return true;
    }

    /** True, because a worker's momentum is out of date when the worker returns. */
    @Override
    public boolean freshOnReturn() {
        return true;
    }

    @Override
    public String crowd(Training training) {
        return minWorkers + " to " + maxWorkers;
    }
}
