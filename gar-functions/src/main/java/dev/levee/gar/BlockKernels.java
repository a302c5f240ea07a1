package dev.levee.gar;

import dev.levee.gar.block.BlockRows;
import dev.levee.gar.block.Blocks;
import dev.levee.gar.block.Span;
import dev.levee.gar.internal.Measurer;
import dev.levee.gar.internal.Provider;
import dev.levee.gar.internal.Reducer;

import java.util.List;

/**
 * Measures and reduces the rows of one block, for callers that hold the rows themselves. All
 * kernels add in the order that {@link Blocks} defines.
 */
public final class BlockKernels {
    private static final Measurer MEASURER = new Measurer(Provider.KERNELS);
    private static final Reducer REDUCER = new Reducer(Provider.KERNELS);

    private BlockKernels() {}

    /**
     * Measures a newly arrived row of a block against the rows already present. The numbers do not
     * depend on the order of arrival.
     *
     * @param look what to measure; must be {@link Look#incremental}
     * @param row the new row, which starts at the same index as those present
     * @param present the rows already present
     * @param previous the block of the previous aggregate, null if zero or not needed
     * @param span position of the block
     * @param length coordinates to read
     * @return for each entry of {@code present}, then for each reference: the squared distance and
     *     the inner product, each only if the look asks for it; 0 for missing or unmeasured rows.
     *     The new row's three sign counts follow if the look asks for them
     */
    public static double[] measure(
            Look look, float[] row, BlockRows present, float[] previous, Span span, int length) {
        return MEASURER.measure(look, row, present, previous, span, length);
    }

    /**
     * Measures mixed rows of one block against each other.
     *
     * @param look what to measure
     * @param map the mixtures, over {@code rows} followed by the look's references
     * @param rows the round's rows of this block
     * @param previous the block of the previous aggregate, null if zero or not needed
     * @param span position of the block
     * @param length coordinates to read
     * @return the block's share, to be added by {@link #sum}. Pairs of two references are 0
     */
    public static LookResult look(
            Look look, RowMap map, BlockRows rows, float[] previous, Span span, int length) {
        return MEASURER.look(look, map, rows, previous, span, 0, length);
    }

    /** True if no coordinate from an index on is NaN or infinite. */
    public static boolean finite(float[] row, int from, int length) {
        return Provider.KERNELS.finite(row, from, length);
    }

    /** Adds the shares of all blocks, in block order: see {@link LookResult#sum}. */
    public static LookResult sum(LookResult[] shares) {
        return LookResult.sum(shares);
    }

    /**
     * Reduces one block.
     *
     * @param map the rows to reduce, over {@code rows} followed by the references
     * @param reduction how the mapped rows become one row
     * @param rows the round's rows of this block; not changed
     * @param previous the block of the previous aggregate, null if zero or not needed
     * @param references the references of the map's last columns
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

    /** Measures mixed rows in separate arrays. */
    public static LookResult look(
            Look look, RowMap map, float[][] rows, float[] previous, Span span, int length) {
        return look(look, map, new BlockRows(rows), previous, span, length);
    }

    /** Reduces rows in separate arrays. */
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
