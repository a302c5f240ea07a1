package dev.levee.operators.rounds.training;

import dev.levee.gar.Attacks;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.plan.SampledPlan;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.securesum.Masking;

import java.time.Duration;

/** Trainings for tests, one setting at a time; no model and no data behind them. */
public final class Runs {
    private final TrainingBuilder run;
    private final int workers;
    private OptimizerKind optimizer = OptimizerKind.SGD;

    private Runs(int workers, int f) {
        this.workers = workers;
        run =
                new TrainingBuilder("testrun2", "", null, Rules.parse("average"), workers, f)
                        .partition(null)
                        .batchSize(4)
                        .learningRate(new Half())
                        .work(new GradientWork(0))
                        .rounds(10)
                        .evalInterval(1);
    }

    /** A synchronous run of the average with learning rate 0.5 over ten rounds. */
    public static Runs of(int workers, int f) {
        return new Runs(workers, f);
    }

    public Runs rule(String text) {
        return rule(Rules.parse(text));
    }

    public Runs rule(Rule value) {
        run.rule(value);
        return this;
    }

    public Runs attack(int count, String text) {
        run.attack(Attacks.parse(text), count);
        return this;
    }

    public Runs quorum(int q) {
        run.quorum(q);
        return this;
    }

    public Runs timeoutMillis(long millis) {
        run.roundTimeout(Duration.ofMillis(millis));
        return this;
    }

    public Runs deadlineMillis(long millis) {
        run.deadline(Duration.ofMillis(millis));
        return this;
    }

    public Runs staleness(int versions) {
        run.staleness(versions);
        return this;
    }

    public Runs keepNonFinite() {
        run.nonFinite(Admission.NonFinite.KEEP);
        return this;
    }

    public Runs optimizer(OptimizerKind kind) {
        optimizer = kind;
        return serverMomentum(0);
    }

    /** Sets the momentum of the optimizer that was set before. */
    public Runs serverMomentum(double factor) {
        run.optimizer(Optimizer.of(optimizer, factor));
        return this;
    }

    public Runs workerMomentum(double factor) {
        run.work(new GradientWork(factor));
        return this;
    }

    public Runs least(int contributions) {
        run.least(contributions);
        return this;
    }

    public Runs most(int contributions) {
        run.most(contributions);
        return this;
    }

    public Runs masked() {
        run.masking(Masking.PAIRWISE);
        return this;
    }

    /** Rounds of an average of more workers than this are summed. */
    public Runs combined() {
        run.combined(true);
        return this;
    }

    /** Contributions are announced before they are sent. */
    public Runs ordered() {
        run.ordered(true);
        return this;
    }

    public Runs rowsHeld(int most) {
        run.rowsHeld(most);
        return this;
    }

    /** So many workers, drawn anew, close each round together. */
    public Runs sampled(int perRound) {
        run.quorum(Math.min(perRound, workers));
        return plan(new SampledPlan(perRound));
    }

    public Runs plan(Plan value) {
        run.plan(value);
        return this;
    }

    /** Learning rate 0.5, no control. */
    public Runs elastic(int min, int max, long maxBatch, long workerMemory) {
        return plan(new Elasticity(min, max, maxBatch, workerMemory, 0.5, null));
    }

    /** Each round leaves a trace. */
    public Runs audited() {
        run.audited(true);
        return this;
    }

    public Runs rounds(long count) {
        run.rounds(count);
        return this;
    }

    public Training training() {
        return run.build();
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
