package dev.levee.operators.rounds;

import dev.levee.connectors.data.Partition;
import dev.levee.gar.Attack;
import dev.levee.gar.Rule;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;

import java.time.Duration;

/** Makes a {@link Training} step by step; what is not set has the defaults of the command line. */
public final class TrainingBuilder {
    private String runId;
    private String dataset;
    private Partition partition = Partition.parse("iid");
    private Model model;
    private int workers;
    private int byzantine;
    private int attackers;
    private Attack attack;
    private Rule rule;
    private int quorum;
    private Duration roundTimeout;
    private Training.NonFinite nonFinite = Training.NonFinite.REJECT;
    private int batchSize = 100;
    private LearningRate learningRate = LearningRate.parse("constant", 0.2, 1);
    private OptimizerKind optimizer = OptimizerKind.SGD;
    private double momentum = 0.9;
    private Training.MomentumSide momentumSide = Training.MomentumSide.WORKER;
    private long rounds = 500;
    private int evalInterval = 50;
    private long seed = 1;
    private int computeThreads = 1;
    private Elasticity elasticity;

    /**
     * A synchronous run without attackers.
     *
     * @param runId eight letters or digits that every record carries
     * @param dataset URI of the data set
     * @param workers number of workers, n
     * @param byzantine how many of them the rule has to tolerate, f
     */
    public TrainingBuilder(
            String runId, String dataset, Model model, Rule rule, int workers, int byzantine) {
        this.runId = runId;
        this.dataset = dataset;
        this.model = model;
        this.rule = rule;
        this.byzantine = byzantine;
        workers(workers);
    }

    /** A run like another one. */
    public TrainingBuilder(Training run) {
        runId = run.runId();
        dataset = run.dataset();
        partition = run.partition();
        model = run.model();
        workers = run.workers();
        byzantine = run.byzantine();
        attackers = run.attackers();
        attack = run.attack();
        rule = run.rule();
        quorum = run.quorum();
        roundTimeout = run.roundTimeout();
        nonFinite = run.nonFinite();
        batchSize = run.batchSize();
        learningRate = run.learningRate();
        optimizer = run.optimizer();
        momentum = run.momentum();
        momentumSide = run.momentumSide();
        rounds = run.rounds();
        evalInterval = run.evalInterval();
        seed = run.seed();
        computeThreads = run.computeThreads();
        elasticity = run.elasticity();
    }

    /** Number of workers, all of whom close a round unless {@link #quorum} says otherwise. */
    public TrainingBuilder workers(int count) {
        workers = count;
        quorum = count;
        return this;
    }

    /** How many workers the rule has to tolerate, f. */
    public TrainingBuilder byzantine(int f) {
        byzantine = f;
        return this;
    }

    /** What the last {@code count} workers send. */
    public TrainingBuilder attack(Attack what, int count) {
        attack = what;
        attackers = count;
        return this;
    }

    /** The momentum factor and who keeps it; 0.9 at the worker by default. */
    public TrainingBuilder momentum(double factor, Training.MomentumSide side) {
        momentum = factor;
        momentumSide = side;
        return this;
    }

    /** Eight letters or digits that every record carries. */
    public TrainingBuilder runId(String value) {
        runId = value;
        return this;
    }

    /** URI of the data set. */
    public TrainingBuilder dataset(String value) {
        dataset = value;
        return this;
    }

    /** How samples are dealt to workers; iid by default. */
    public TrainingBuilder partition(Partition value) {
        partition = value;
        return this;
    }

    /** The model. */
    public TrainingBuilder model(Model value) {
        model = value;
        return this;
    }

    /** The rule or pipeline. */
    public TrainingBuilder rule(Rule value) {
        rule = value;
        return this;
    }

    /** Complete gradients that close a round; all workers by default. */
    public TrainingBuilder quorum(int value) {
        quorum = value;
        return this;
    }

    /** How long a round waits, null for ever, the default. */
    public TrainingBuilder roundTimeout(Duration value) {
        roundTimeout = value;
        return this;
    }

    /** What happens to NaN and infinity; they are rejected by default. */
    public TrainingBuilder nonFinite(Training.NonFinite value) {
        nonFinite = value;
        return this;
    }

    /** Samples per worker and round, 100 by default. */
    public TrainingBuilder batchSize(int value) {
        batchSize = value;
        return this;
    }

    /** Step size and its schedule, constantly 0.2 by default. */
    public TrainingBuilder learningRate(LearningRate value) {
        learningRate = value;
        return this;
    }

    /** How the model steps, sgd by default. */
    public TrainingBuilder optimizer(OptimizerKind value) {
        optimizer = value;
        return this;
    }

    /** Number of rounds, 500 by default. */
    public TrainingBuilder rounds(long value) {
        rounds = value;
        return this;
    }

    /** Rounds between evaluations, 50 by default. */
    public TrainingBuilder evalInterval(int value) {
        evalInterval = value;
        return this;
    }

    /** Seed of everything drawn, 1 by default. */
    public TrainingBuilder seed(long value) {
        seed = value;
        return this;
    }

    /** Gradients computed at a time by each subtask, 1 by default. */
    public TrainingBuilder computeThreads(int value) {
        computeThreads = value;
        return this;
    }

    /**
     * Bounds of workers and batch while the run goes on; none by default: it stays as it starts.
     */
    public TrainingBuilder elasticity(Elasticity value) {
        elasticity = value;
        return this;
    }

    /** The run. */
    public Training build() {
        return new Training(
                runId,
                dataset,
                partition,
                model,
                workers,
                byzantine,
                attackers,
                attack,
                rule,
                quorum,
                roundTimeout,
                nonFinite,
                batchSize,
                learningRate,
                optimizer,
                momentum,
                momentumSide,
                rounds,
                evalInterval,
                seed,
                computeThreads,
                elasticity);
    }
}
