package dev.levee.gar;

import dev.levee.gar.block.BufferRows;
import dev.levee.gar.block.Span;
import dev.levee.gar.internal.Backend;
import dev.levee.gar.internal.gpu.Backends;

import java.nio.FloatBuffer;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Runs a rule on whole vectors in memory, one round after another, without an engine. It keeps the
 * state of stateful rules between rounds. Tests compare distributed runs with it bit for bit. Not
 * thread-safe.
 */
public final class Aggregator {
    private final Rule rule;
    private final int f;
    private final long seed;
    private Device device = Device.CPU;
    private int threads = 1;
    private Backend backend = Backends.of(Device.CPU);
    private long number;
    private float[] previous;
    private RuleState state = RuleState.NONE;
    private Step.Reduce last;

    /**
     * An aggregator before its first round.
     *
     * @param rule the rule
     * @param f number of Byzantine rows to tolerate in each round
     * @param seed seed of the rule's random draws, if any
     */
    public Aggregator(Rule rule, int f, long seed) {
        this.rule = rule;
        this.f = f;
        this.seed = seed;
    }

    /**
     * Continues from an earlier aggregate, for rules that use it.
     *
     * @param aggregate d coordinates; null for none
     */
    public Aggregator from(float[] aggregate) {
        previous = aggregate == null ? null : aggregate.clone();
        return this;
    }

    /**
     * Continues from an earlier state, for example the state of another aggregator.
     *
     * @param round number of the next round; random draws depend on it
     * @param carried {@link #state} after the last round
     */
    public Aggregator resume(long round, RuleState carried) {
        number = round;
        state = carried;
        return this;
    }

    /**
     * Selects the device for the coordinate work; the default is the processor.
     *
     * @throws IllegalArgumentException for {@link Device#GPU} if no GPU works
     */
    public Aggregator on(Device where) {
        device = where;
        return choose();
    }

    /**
     * Sets the number of processor threads: the caller's thread and threads of the JVM's common
     * pool. The result does not depend on their number.
     *
     * @param count threads to use, at least 1
     */
    public Aggregator threads(int count) {
        threads = count;
        return choose();
    }

    private Aggregator choose() {
        backend = Backends.of(device, threads);
        return this;
    }

    /** Aggregates one round without further information about its rows. */
    public float[] aggregate(float[][] rows) {
        return aggregate(rows, UnaryOperator.identity());
    }

    /**
     * Aggregates one round with external scores.
     *
     * @param scores n scores for rules that {@link Rule#needsScores}, otherwise empty
     */
    public float[] aggregate(float[][] rows, double[] scores) {
        return aggregate(rows, round -> round.withScores(scores));
    }

    /**
     * Aggregates one round.
     *
     * @param rows n rows of d coordinates, d the same in every round; not changed
     * @param known adds known facts about the rows, such as {@code round ->
     *     round.withWeights(samples)}
     * @return d coordinates
     * @throws IllegalArgumentException if there are too few rows for f, rows differ in length, or
     *     the rule does not accept these facts
     */
    public float[] aggregate(float[][] rows, UnaryOperator<Round> known) {
        int length = rows.length == 0 ? 0 : rows[0].length;
        check(rows.length, length);
        for (int i = 1; i < rows.length; i++) {
            checkLength(i, rows[i].length, length);
        }
        Round round = known.apply(new Round(rows.length, f, number, seed));
        rule.check(round);
        float[] result = new float[length];
        try (Backend.Work work = backend.on(rows, previous)) {
            Decision made = decide(work, round, length);
            work.reduce(made.step.map(), made.step.reduction(), made.references, result);
            finish(made.step);
        }
        previous = rule.needsPrevious() ? result.clone() : null;
        return result;
    }

    /**
     * Aggregates one round whose rows lie outside the heap, like {@link #aggregate(float[][],
     * UnaryOperator)}. The processor reads the rows in place; a GPU gets a copy.
     *
     * @param out receives d coordinates from its position on; the position does not change
     */
    public void aggregate(BufferRows rows, UnaryOperator<Round> known, FloatBuffer out) {
        check(rows.count(), rows.length());
        Round round = known.apply(new Round(rows.count(), f, number, seed));
        rule.check(round);
        FloatBuffer result = out.slice(out.position(), rows.length());
        try (Backend.Work work = backend.on(rows, previous)) {
            Decision made = decide(work, round, rows.length());
            work.reduce(made.step.map(), made.step.reduction(), made.references, result);
            finish(made.step);
        }
        previous = null;
        if (rule.needsPrevious()) {
            previous = new float[rows.length()];
            result.get(0, previous);
        }
    }

    /** The aggregate that the next round uses; null if there is none, or the rule uses none. */
    public float[] previous() {
        return previous == null ? null : previous.clone();
    }

    /** Number of the next round, for {@link #resume}. */
    public long round() {
        return number;
    }

    /** State before the next round, for {@link #resume}. */
    public RuleState state() {
        return state;
    }

    private void check(int rows, int length) {
        if (rows == 0) {
            throw new IllegalArgumentException(rule.name() + " needs at least one row, got none");
        }
        rule.check(rows, f);
        checkLength(0, length, previous == null ? length : previous.length);
    }

    private Decision decide(Backend.Work work, Round round, int length) {
        Span span = round.span(0, length);
        RowMap map = RowMap.identity(round.rows(), round.rows());
        Look look = rule.look(round);
        for (int phase = 0; ; phase++) {
            LookResult looked = work.look(look, map, span);
            Step step = rule.decide(phase, map, looked, round, state);
            if (step instanceof Step.LookAgain again) {
                map = again.map();
                look = again.look();
            } else {
                return new Decision((Step.Reduce) step, look.references());
            }
        }
    }

    /** The decision of the last round, null before the first. */
    public Step.Reduce last() {
        return last;
    }

    private void finish(Step.Reduce step) {
        last = step;
        state = step.state();
        number++;
    }

    /** The rule's last step, with the references of the last look. */
    private record Decision(Step.Reduce step, List<Reference> references) {}

    private static void checkLength(int row, int length, int expected) {
        if (length != expected) {
            throw new IllegalArgumentException(
                    "all rows must have %s coordinates, row %s has %s"
                            .formatted(expected, row, length));
        }
    }
}
