package dev.levee.gar;

import dev.levee.gar.internal.Measurer;
import dev.levee.gar.internal.Provider;
import dev.levee.gar.internal.Reducer;

import java.util.List;

/**
 * The coordinate work on one block, for callers that hold the rows themselves. All sums follow the
 * order that {@link Blocks} states, whichever kernel runs.
 */
public final class BlockKernels {
    private static final Measurer MEASURER = new Measurer(Provider.KERNELS);
    private static final Reducer REDUCER = new Reducer(Provider.KERNELS);

    private BlockKernels() {}

    /**
     * Measures one newly arrived row of a block against the rows already there. The numbers do not
     * depend on the order in which rows arrive.
     *
     * @param look what to measure; must be {@link Look#incremental}
     * @param row the new row, which begins where those present do
     * @param present the rows already there
     * @param previous the block of the previous aggregate, null if zero or not needed
     * @param span where the block lies
     * @param length coordinates to read
     * @return for each entry of {@code present}, then for each reference: squared distance if asked
     *     for, then inner product if asked for; 0 where the row is missing or not measured. Behind
     *     them the new row's three counts of signs, if asked for
     */
    public static double[] measure(
            Look look, float[] row, BlockRows present, float[] previous, Span span, int length) {
        return MEASURER.measure(look, row, present, previous, span, length);
    }

    /**
     * Measures mixed rows of one block against one another.
     *
     * @param look what to measure
     * @param map the mixtures to measure, in terms of {@code rows} and, behind them, of the look's
     *     references
     * @param rows the round's rows of this block
     * @param previous the block of the previous aggregate, null if zero or not needed
     * @param span where the block lies
     * @param length coordinates to read
     * @return the block's share; {@link #sum} adds shares up. Pairs of two references are 0
     */
    public static Looked look(
            Look look, RowMap map, BlockRows rows, float[] previous, Span span, int length) {
        return MEASURER.look(look, map, rows, previous, span, 0, length);
    }

    /** True if neither NaN nor an infinity is among coordinates that lie from an index on. */
    public static boolean finite(float[] row, int from, int length) {
        return Provider.KERNELS.finite(row, from, length);
    }

    /** Adds the shares of all blocks, in block order: see {@link Looked#sum}. */
    public static Looked sum(Looked[] shares) {
        return Looked.sum(shares);
    }

    /**
     * Reduces one block.
     *
     * @param map the rows to reduce in terms of {@code rows} and, behind them, the references
     * @param reduction how they become one
     * @param rows the round's rows of this block; not changed
     * @param previous the block of the previous aggregate, null if zero or not needed
     * @param references the references the map's last columns stand for
     * @param from first coordinate
     * @param to one past the last coordinate
     * @param out receives coordinates {@code from} to {@code to}, at the same indices
     */
    public static void reduce(
            RowMap map,
            Reduction reduction,
            BlockRows rows,
            float[] previous,
            List<Reference> references,
            int from,
            int to,
            float[] out) {
        REDUCER.reduce(map, reduction, rows, previous, references, from, to, out);
    }

    /** Measures mixed rows that are arrays of their own. */
    public static Looked look(
            Look look, RowMap map, float[][] rows, float[] previous, Span span, int length) {
        return look(look, map, new BlockRows(rows), previous, span, length);
    }

    /** Reduces rows that are arrays of their own. */
    public static void reduce(
            RowMap map,
            Reduction reduction,
            float[][] rows,
            float[] previous,
            List<Reference> references,
            int from,
            int to,
            float[] out) {
        reduce(map, reduction, new BlockRows(rows), previous, references, from, to, out);
    }
}
