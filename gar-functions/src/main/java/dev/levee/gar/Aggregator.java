package dev.levee.gar;

import dev.levee.gar.internal.Measurer;
import dev.levee.gar.internal.Provider;
import dev.levee.gar.internal.Reducer;

import java.util.List;

/**
 * Runs a rule round after round over whole vectors in memory, without any engine: the reference
 * that distributed runs are compared against, bit for bit. Keeps what a stateful rule carries over.
 * Not thread-safe.
 */
public final class Aggregator {
    private static final Measurer MEASURER = new Measurer(Provider.KERNELS);
    private static final Reducer REDUCER = new Reducer(Provider.KERNELS);

    private final Rule rule;
    private final int f;
    private final long seed;
    private long number;
    private float[] previous;
    private RuleState state = RuleState.NONE;

    /**
     * An aggregator before its first round.
     *
     * @param rule the rule
     * @param f number of Byzantine rows to tolerate in each round
     * @param seed of the rule's draws, if it draws
     */
    public Aggregator(Rule rule, int f, long seed) {
        this.rule = rule;
        this.f = f;
        this.seed = seed;
    }

    /**
     * Aggregates one round.
     *
     * @param rows n rows of d coordinates, d the same in every round; not changed
     * @return d coordinates
     * @throws IllegalArgumentException if the rows are too few for f or differ in length
     */
    public float[] aggregate(float[][] rows) {
        if (rows.length == 0) {
            throw new IllegalArgumentException(rule.name() + " needs at least one row, got none");
        }
        Round round = new Round(rows.length, f, number, seed);
        rule.check(rows.length, f);
        checkLengths(rows);
        RowMap map = RowMap.identity(rows.length, rows.length);
        Look look = rule.look();
        for (int phase = 0; ; phase++) {
            Step step = rule.decide(phase, map, look(look, map, rows), round, state);
            if (step instanceof Step.LookAgain again) {
                map = again.map();
                look = again.look();
            } else {
                Step.Reduce reduce = (Step.Reduce) step;
                float[] result = reduce(reduce, rows, look.references());
                state = reduce.state();
                previous = rule.needsPrevious() ? result.clone() : null;
                number++;
                return result;
            }
        }
    }

    private void checkLengths(float[][] rows) {
        int length = previous == null ? rows[0].length : previous.length;
        for (int i = 0; i < rows.length; i++) {
            if (rows[i].length != length) {
                throw new IllegalArgumentException(
                        "all rows must have "
                                + length
                                + " coordinates, row "
                                + i
                                + " has "
                                + rows[i].length);
            }
        }
    }

    private Looked look(Look look, RowMap map, float[][] rows) {
        int length = rows[0].length;
        Looked[] shares = new Looked[Math.max(1, Blocks.count(length))];
        for (int block = 0; block < shares.length; block++) {
            int size = Blocks.length(block, length);
            shares[block] = MEASURER.look(look, map, rows, previous, block * Blocks.SIZE, size);
        }
        return BlockKernels.sum(shares);
    }

    private float[] reduce(Step.Reduce step, float[][] rows, List<Reference> references) {
        float[] out = new float[rows[0].length];
        REDUCER.reduce(
                step.map(), step.reduction(), rows, previous, references, 0, out.length, out, 0);
        return out;
    }
}
