package dev.levee.operators.rounds;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.RowMap;
import dev.levee.gar.Span;
import dev.levee.gar.WeightedSum;

import java.util.BitSet;

/**
 * The rows of one block that have come for the open round, each at its sender's place in the
 * cohort. For a rule that only averages a large cohort it adds rows up and forgets them, as soon as
 * the coordinator admits them.
 */
public final class RowWindow {
    /**
     * What a window has to remember; arrays are shared with the running window, which never writes
     * into them.
     *
     * @param rows by place, null where missing or added up
     * @param weights by place, of all that came
     * @param refused places whose row was refused
     * @param summed places whose rows have been added up
     * @param sum of those, null if this window keeps rows
     */
    public record State(
            float[][] rows, double[] weights, BitSet refused, BitSet summed, WeightedSum sum) {
        /** What is remembered of a round of which nothing has come. */
        static State empty(Training training, Settings settings, int length) {
            boolean sums = sums(training, settings);
            return new State(
                    new float[settings.workers()][],
                    new double[settings.workers()],
                    new BitSet(),
                    new BitSet(),
                    sums ? new WeightedSum(length) : null);
        }
    }

    private final Settings settings;
    private final float[][] rows;
    private final double[] weights;
    private final BitSet refused;
    private final BitSet summed;
    private WeightedSum sum;

    /** True if nobody else has the sum, so that it may be written to. */
    private boolean own;

    RowWindow(Settings settings, State state) {
        this.settings = settings;
        rows = state.rows().clone();
        weights = state.weights().clone();
        refused = (BitSet) state.refused().clone();
        summed = (BitSet) state.summed().clone();
        sum = state.sum();
    }

    /** True if rounds with these settings are summed: no rule looks at rows, and they are many. */
    static boolean sums(Training training, Settings settings) {
        return training.rule().averages() && settings.workers() > training.admission().rowsHeld();
    }

    State snapshot() {
        own = false;
        return new State(
                rows.clone(),
                weights.clone(),
                (BitSet) refused.clone(),
                (BitSet) summed.clone(),
                sum);
    }

    /** True if whoever has this place has answered, well or badly. */
    boolean answered(int place) {
        return rows[place] != null || refused.get(place) || summed.get(place);
    }

    void refuse(int place) {
        refused.set(place);
    }

    void put(int place, float[] row, double weight) {
        rows[place] = row;
        weights[place] = weight;
    }

    /** Measures a row that is not in the window yet against those that are. */
    double[] measure(Look look, float[] row, float[] previous, Span span, int length) {
        return look.nothing() || !look.incremental()
                ? new double[0]
                : BlockKernels.measure(look, row, rows, previous, span, length);
    }

    /** The row at a place, null if none has come or it has been added up. */
    float[] row(int place) {
        return rows[place];
    }

    /** The rows of these members of the cohort. */
    float[][] rows(int[] ids) {
        float[][] selected = new float[ids.length][];
        for (int i = 0; i < ids.length; i++) {
            selected[i] = rows[settings.cohort().place(ids[i])];
        }
        return selected;
    }

    Looked look(Instruction.LookAgain again, float[] previous, Span span, int length) {
        RowMap map = again.map();
        return BlockKernels.look(again.look(), map, rows(again.rows()), previous, span, length);
    }

    /** Adds the rows at these places up, as far as that has not been done. */
    void sum(BitSet places) {
        for (int place = places.nextSetBit(0); place >= 0; place = places.nextSetBit(place + 1)) {
            if (!summed.get(place)) {
                if (!own) {
                    sum = sum.copy();
                    own = true;
                }
                sum.add(rows[place], weights[place]);
                rows[place] = null;
                summed.set(place);
            }
        }
    }

    /** The weighted mean of these members' rows, among which all are that were added up before. */
    float[] mean(int[] ids) {
        BitSet places = new BitSet();
        double total = 0;
        for (int id : ids) {
            int place = settings.cohort().place(id);
            places.set(place);
            total += weights[place];
        }
        sum(places);
        if (!summed.equals(places)) {
            throw new IllegalStateException(
                    "rows at " + summed + " are in a mean of those at " + places);
        }
        float[] mean = new float[sum.length()];
        sum.over(total, mean);
        return mean;
    }
}
