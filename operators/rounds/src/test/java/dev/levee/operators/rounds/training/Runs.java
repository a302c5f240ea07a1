package dev.levee.operators.rounds.training;

import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.plan.SampledPlan;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.topology.Topology;

import java.time.Duration;

/** Trainings for tests, one setting at a time; no model and no data behind them. */
public final class Runs {
    private final int workers;
    private final int f;
    private Rule rule = Rules.parse("average");
    private int attackers;
    private Attack attack;
    private int quorum;
    private Duration timeout;
    private Admission.NonFinite nonFinite = Admission.NonFinite.REJECT;
    private OptimizerKind optimizer = OptimizerKind.SGD;
    private double serverMomentum;
    private double workerMomentum;
    private int rowsHeld = Admission.ROWS_HELD;
    private boolean audited;
    private boolean combined;
    private boolean ordered;
    private int least = 1;
    private int most = Admission.ALL;
    private Masking masking = Masking.NONE;
    private Duration deadline;
    private int staleness;
    private long rounds = 10;
    private Plan plan = Plan.FIXED;

    private Runs(int workers, int f) {
        this.workers = workers;
        this.f = f;
        this.quorum = workers;
    }

    /** A synchronous run of the average with learning rate 0.5 over ten rounds. */
    public static Runs of(int workers, int f) {
        return new Runs(workers, f);
    }

    public Runs rule(String text) {
        return rule(Rules.parse(text));
    }

    public Runs rule(Rule value) {
        rule = value;
        return this;
    }

    public Runs attack(int count, String text) {
        attackers = count;
        attack = Attacks.parse(text);
        return this;
    }

    public Runs quorum(int q) {
        quorum = q;
        return this;
    }

    public Runs timeoutMillis(long millis) {
        timeout = Duration.ofMillis(millis);
        return this;
    }

    public Runs deadlineMillis(long millis) {
        deadline = Duration.ofMillis(millis);
        return this;
    }

    public Runs staleness(int versions) {
        staleness = versions;
        return this;
    }

    public Runs keepNonFinite() {
        nonFinite = Admission.NonFinite.KEEP;
        return this;
    }

    public Runs optimizer(OptimizerKind kind) {
        optimizer = kind;
        return this;
    }

    public Runs serverMomentum(double factor) {
        serverMomentum = factor;
        return this;
    }

    public Runs workerMomentum(double factor) {
        workerMomentum = factor;
        return this;
    }

    public Runs least(int contributions) {
        least = contributions;
        return this;
    }

    public Runs most(int contributions) {
        most = contributions;
        return this;
    }

    public Runs masked() {
        masking = Masking.PAIRWISE;
        return this;
    }

    /** Rounds of an average of more workers than this are summed. */
    public Runs combined() {
        combined = true;
        return this;
    }

    /** Contributions are announced before they are sent. */
    public Runs ordered() {
        ordered = true;
        return this;
    }

    public Runs rowsHeld(int most) {
        rowsHeld = most;
        return this;
    }

    /** So many workers, drawn anew, close each round together. */
    public Runs sampled(int perRound) {
        quorum = Math.min(perRound, workers);
        return plan(new SampledPlan(perRound));
    }

    public Runs plan(Plan value) {
        plan = value;
        return this;
    }

    /** Learning rate 0.5, no control. */
    public Runs elastic(int min, int max, long maxBatch, long workerMemory) {
        return plan(new Elasticity(min, max, maxBatch, workerMemory, 0.5, null));
    }

    /** Each round leaves a trace. */
    public Runs audited() {
        audited = true;
        return this;
    }

    public Runs rounds(long count) {
        rounds = count;
        return this;
    }

    public Training training() {
        return new Training(
                        "testrun2",
                        new Data("", null, 4),
                        null,
                        workers,
                        CountOrShare.of(f),
                        new Attackers(attack, attackers),
                        rule,
                        new Admission(
                                CountOrShare.of(quorum),
                                timeout,
                                deadline,
                                staleness,
                                nonFinite,
                                rowsHeld,
                                least,
                                most,
                                masking,
                                combined ? Admission.ALL : 0,
                                ordered),
                        rule.needsScores() ? Oracle.heldOut() : null,
                        new GradientWork(workerMomentum),
                        new ServerStep(Optimizer.of(optimizer, serverMomentum), new Half()),
                        plan,
                        Topology.ONE,
                        rounds,
                        1,
                        1,
                        1,
                        audited)
                .checked();
    }

    private record Half() implements LearningRate {
        @Override
        public String name() {
            return "half";
        }

        @Override
        public double at(long round) {
            return 0.5;
        }
    }
}
