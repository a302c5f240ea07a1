package dev.levee.operators.rounds.training;

import dev.levee.connectors.data.Partition;
import dev.levee.gar.Attack;
import dev.levee.gar.Rule;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.topology.Topology;

import java.time.Duration;

/** Builds a {@link Training}; the defaults are those of the command line. */
public final class TrainingBuilder {
    /** Looked up once, because lookups would dominate the time of thousands of small trainings. */
    private static final Partition IID = Partition.parse("iid");

    private String runId;
    private String dataset;
    private Partition partition = IID;
    private Model model;
    private int workers;
    private CountOrShare tolerance;
    private int attackers;
    private Attack attack;
    private Rule rule;
    private CountOrShare quorum;
    private Oracle oracle;
    private Duration roundTimeout;
    private Admission.NonFinite nonFinite = Admission.NonFinite.REJECT;
    private int batchSize = 100;
    private LearningRate learningRate = LearningRate.parse("constant", 0.2, 1);
    private Work work = new GradientWork(0.9);
    private Optimizer optimizer = Optimizer.of(OptimizerKind.SGD, 0);
    private int rowsHeld = Admission.ROWS_HELD;
    private int least = 1;
    private int most = Admission.ALL;
    private Masking masking = Masking.NONE;
    private int fanIn;
    private boolean ordered;
    private Duration deadline;
    private int staleness;
    private Plan plan = Plan.FIXED;
    private Topology topology = Topology.ONE;
    private long rounds = 500;
    private int evalInterval = 50;
    private long seed = 1;
    private int computeThreads = 1;
    private boolean audited;

    /**
     * Creates a synchronous run without attackers.
     *
     * @param runId id of the run in every record; letters, digits or hyphens
     * @param dataset URI of the data set
     * @param workers number of workers, n
     * @param byzantine number of Byzantine workers that the rule must tolerate, f
     */
    public TrainingBuilder(
            String runId, String dataset, Model model, Rule rule, int workers, int byzantine) {
        this.runId = runId;
        this.dataset = dataset;
        this.model = model;
        this.rule = rule;
        this.tolerance = CountOrShare.of(byzantine);
        workers(workers);
    }

    /** Copies another run. */
    public TrainingBuilder(Training run) {
        runId = run.runId();
        dataset = run.data().uri();
        partition = run.data().partition();
        model = run.model();
        workers = run.workers();
        tolerance = run.tolerance();
        attackers = run.attackers().count();
        attack = run.attackers().attack();
        rule = run.rule();
        quorum = run.admission().quorum();
        oracle = run.oracle();
        roundTimeout = run.admission().timeout();
        nonFinite = run.admission().nonFinite();
        rowsHeld = run.admission().rowsHeld();
        least = run.admission().least();
        most = run.admission().most();
        masking = run.admission().masking();
        fanIn = run.admission().fanIn();
        ordered = run.admission().ordered();
        deadline = run.admission().deadline();
        staleness = run.admission().staleness();
        batchSize = run.data().batchSize();
        learningRate = run.step().learningRate();
        optimizer = run.step().optimizer();
        work = run.work();
        rounds = run.rounds();
        evalInterval = run.evalInterval();
        seed = run.seed();
        computeThreads = run.computeThreads();
        audited = run.audited();
        plan = run.plan();
        topology = run.topology();
    }

    /**
     * Sets the number of workers, n. By default, a round waits for all of them; see {@link
     * #quorum}.
     */
    public TrainingBuilder workers(int count) {
        workers = count;
        quorum = CountOrShare.of(count);
        return this;
    }

    /** Sets the number of Byzantine workers that the rule must tolerate, f. */
    public TrainingBuilder byzantine(int f) {
        return byzantine(CountOrShare.of(f));
    }

    /**
     * Sets the number of Byzantine workers to tolerate, also as a share of a round's participants.
     */
    public TrainingBuilder byzantine(CountOrShare value) {
        tolerance = value;
        return this;
    }

    /** Sets the attack of the last {@code count} workers. */
    public TrainingBuilder attack(Attack what, int count) {
        attack = what;
        attackers = count;
        return this;
    }

    /** Sets the id of the run in every record; letters, digits or hyphens. */
    public TrainingBuilder runId(String value) {
        runId = value;
        return this;
    }

    /** Sets the URI of the data set. */
    public TrainingBuilder dataset(String value) {
        dataset = value;
        return this;
    }

    /** Sets the partition of samples among workers; iid by default. */
    public TrainingBuilder partition(Partition value) {
        partition = value;
        return this;
    }

    /** Sets the model. */
    public TrainingBuilder model(Model value) {
        model = value;
        return this;
    }

    /** Sets the rule or pipeline. */
    public TrainingBuilder rule(Rule value) {
        rule = value;
        return this;
    }

    /**
     * Sets the data on which the server scores contributions; by default a held-out part of the
     * training data, if the rule needs scores.
     */
    public TrainingBuilder oracle(Oracle value) {
        oracle = value;
        return this;
    }

    /** Sets the number of complete gradients that close a round; all workers by default. */
    public TrainingBuilder quorum(int value) {
        return quorum(CountOrShare.of(value));
    }

    /** Sets the number of gradients that close a round, also as a share of its participants. */
    public TrainingBuilder quorum(CountOrShare value) {
        quorum = value;
        return this;
    }

    /** Sets the timeout of a round; null, the default, waits forever. */
    public TrainingBuilder roundTimeout(Duration value) {
        roundTimeout = value;
        return this;
    }

    /** Sets the treatment of NaN and infinity; they are rejected by default. */
    public TrainingBuilder nonFinite(Admission.NonFinite value) {
        nonFinite = value;
        return this;
    }

    /** Sets the samples per worker and round, 100 by default. */
    public TrainingBuilder batchSize(int value) {
        batchSize = value;
        return this;
    }

    /** Sets the step size and its schedule; by default, it is always 0.2. */
    public TrainingBuilder learningRate(LearningRate value) {
        learningRate = value;
        return this;
    }

    /** Sets the work of a round: by default, one gradient with momentum 0.9. */
    public TrainingBuilder work(Work value) {
        work = value;
        return this;
    }

    /** Sets the optimizer; by default, SGD without momentum. */
    public TrainingBuilder optimizer(Optimizer value) {
        optimizer = value;
        return this;
    }

    /** Sets the number of rounds, 500 by default. */
    public TrainingBuilder rounds(long value) {
        rounds = value;
        return this;
    }

    /** Sets the number of rounds between evaluations, 50 by default. */
    public TrainingBuilder evalInterval(int value) {
        evalInterval = value;
        return this;
    }

    /** Sets the seed of all random choices, 1 by default. */
    public TrainingBuilder seed(long value) {
        seed = value;
        return this;
    }

    /** Sets the number of gradients that each subtask computes at a time, 1 by default. */
    public TrainingBuilder computeThreads(int value) {
        computeThreads = value;
        return this;
    }

    /** Sets whether each round leaves a trace for a log of rounds (default: false). */
    public TrainingBuilder audited(boolean value) {
        audited = value;
        return this;
    }

    /** Sets the deadline of a round; by default, there is none. */
    public TrainingBuilder deadline(Duration value) {
        deadline = value;
        return this;
    }

    /**
     * Sets the staleness bound: the largest age of the version that a contribution answers, 0 by
     * default.
     */
    public TrainingBuilder staleness(int value) {
        staleness = value;
        return this;
    }

    /**
     * Sets the largest number of rows that a shard keeps for a rule that only averages, 64 by
     * default.
     */
    public TrainingBuilder rowsHeld(int value) {
        rowsHeld = value;
        return this;
    }

    /**
     * Sets the number of contributions that a round waits for even after its deadline, 1 by
     * default.
     */
    public TrainingBuilder least(int value) {
        least = value;
        return this;
    }

    /**
     * Sets the largest number of contributions that a round takes; by default, all that have
     * arrived.
     */
    public TrainingBuilder most(int value) {
        most = value;
        return this;
    }

    /** Sets how contributions are hidden from the server (default: {@link Masking#NONE}). */
    public TrainingBuilder masking(Masking value) {
        masking = value;
        return this;
    }

    /** Sets whether contributions of a host are added up before they leave it (default: false). */
    public TrainingBuilder combined(boolean value) {
        return fanIn(value ? Admission.ALL : 0);
    }

    /**
     * Sets the largest number of hosts that send sums of contributions to the server; other hosts
     * send their sums to these. {@link Admission#ALL} if all send to the server; 0, the default, if
     * hosts do not add up contributions.
     */
    public TrainingBuilder fanIn(int value) {
        fanIn = value;
        return this;
    }

    /**
     * Sets whether participants announce contributions and send them on request, so that a round
     * takes no more than its quorum (default: false).
     */
    public TrainingBuilder ordered(boolean value) {
        ordered = value;
        return this;
    }

    /** Sets the plan; by default, all participants take part in each round. */
    public TrainingBuilder plan(Plan value) {
        plan = value;
        return this;
    }

    /** Sets the topology; by default, one server. */
    public TrainingBuilder topology(Topology value) {
        topology = value;
        return this;
    }

    /**
     * Builds the training.
     *
     * @throws WrongTrainingException if parts are invalid or not compatible; one sentence
     */
    public Training build() {
        return new Training(
                        runId,
                        new Data(dataset, partition, batchSize),
                        model,
                        workers,
                        tolerance,
                        new Attackers(attack, attackers),
                        rule,
                        new Admission(
                                quorum,
                                roundTimeout,
                                deadline,
                                staleness,
                                nonFinite,
                                rowsHeld,
                                least,
                                ordered && staleness > 0 ? quorum.fewestOf(workers) : most,
                                masking,
                                fanIn,
                                ordered),
                        oracle == null && rule.needsScores() ? Oracle.heldOut() : oracle,
                        work,
                        new ServerStep(optimizer, learningRate),
                        plan,
                        topology,
                        rounds,
                        evalInterval,
                        seed,
                        computeThreads,
                        audited)
                .checked();
    }
}
