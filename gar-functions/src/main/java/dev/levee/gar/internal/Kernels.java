package dev.levee.gar.internal;

import java.nio.ByteBuffer;

/**
 * The innermost loops. Sums over coordinates process at most {@link #CHUNK} of them; operations per
 * coordinate process any number. Two implementations, plain Java and the Vector API, give the same
 * bits. A chunk's sums are formed in {@link #LANES} float lanes: coordinate {@code i} is added to
 * lane {@code i mod LANES}, in order of {@code i}, with rounding after each multiplication and
 * addition.
 */
public interface Kernels {
    /** Coordinates per chunk. */
    int CHUNK = 4096;

    /** Float lanes of a chunk's sum. */
    int LANES = 16;

    /**
     * Rows a in a tile of pairs. With three, the C2 compiler reaches its node limit before it has
     * inlined everything.
     */
    int TILE_ROWS = 2;

    /** Rows b in a tile of pairs. */
    int TILE_COLUMNS = 4;

    /** Lane sums of a tile of pairs. */
    int TILE = TILE_ROWS * TILE_COLUMNS * LANES;

    /**
     * Writes the lane sums of (a − b)² between one row and several others.
     *
     * @param a the one row
     * @param first the first of the others
     * @param count number of others, at least 1
     * @param lanes receives {@link #LANES} sums for each; see {@link #lanesFor} for the length
     */
    void distances(Rows x, int a, int first, int count, float[] lanes);

    /** Writes the lane sums of a·b between a row and several others, like {@link #distances}. */
    void products(Rows x, int a, int first, int count, float[] lanes);

    /**
     * Writes the lane sums of (a − b)² for a tile of {@link #TILE_ROWS} rows a and {@link
     * #TILE_COLUMNS} rows b, which loads each row once for several pairs. If rows are missing, the
     * last one is used instead.
     *
     * @param a the first of the rows a
     * @param b the first of the rows b
     * @param lanes receives the sums of pair (a + i, b + j) from {@code (i * TILE_COLUMNS + j) *
     *     LANES}
     */
    void tileOfDistances(Rows x, int a, int b, float[] lanes);

    /** Writes the lane sums of a·b for a tile of pairs, like {@link #tileOfDistances}. */
    void tileOfProducts(Rows x, int a, int b, float[] lanes);

    /**
     * Length of an array for the lane sums of {@code count} rows. Kernels process four rows at a
     * time.
     */
    static int lanesFor(int count) {
        return (count + 3) / 4 * 4 * LANES;
    }

    /**
     * Writes the weighted sum of rows divided by a divisor, rounded to float: {@code (weights[0] *
     * x[0][i] + weights[1] * x[1][i] + …) / divisor}. The sum is formed in double, starts at 0, and
     * adds the first row first.
     *
     * @param weights a weight for each row, null to add rows as they are
     * @param count number of rows
     */
    void combine(double[] weights, Rows x, int count, double divisor, float[] out, int to);

    /**
     * Combines rows outside the heap, like {@link #combine(double[], Rows, int, double, float[],
     * int)}.
     *
     * @param rows direct buffers in the machine's byte order, each with one row from index 0 on
     * @param from the first coordinate
     */
    void combine(
            double[] weights,
            ByteBuffer[] rows,
            int from,
            int length,
            double divisor,
            float[] out,
            int to);

    /**
     * Writes several weighted sums of the same rows, each like {@link #combine(double[], Rows, int,
     * double, float[], int)} with divisor 1. Rows with weight zero are read, so they must be
     * finite.
     *
     * @param weights weights of all rows, for each sum
     * @param count number of rows
     * @param out receives each sum, from index 0
     */
    default void mix(double[][] weights, Rows x, int count, float[][] out) {
        for (int o = 0; o < out.length; o++) {
            combine(weights[o], x, count, 1, out[o], 0);
        }
    }

    /**
     * Adds rows to sums, row after row: {@code sums[i] += x[r][i]}.
     *
     * @param first the first row
     * @param count number of rows, at least 1
     * @param fresh whether the sums start at 0 instead of their current values
     */
    void add(Rows x, int first, int count, double[] sums, boolean fresh);

    /**
     * Writes the difference of two rows, {@code x[a][i] - x[b][i]}, with +0 instead of −0. The
     * result equals their sum in double with weights 1 and −1, rounded, because a double has more
     * than twice as many digits as a float.
     */
    void subtract(Rows x, int a, int b, float[] out, int to);

    /** True if none of {@code length} values from an index on is NaN or infinite. */
    boolean finite(float[] x, int from, int length);

    /** Rounds quotients to float: {@code out[to + i] = (float) (sums[i] / divisor)}. */
    void divide(double[] sums, double divisor, int length, float[] out, int to);

    /**
     * Maps floats to ints of the same order: −∞, …, −0, +0, …, +∞, NaN. Every NaN maps to the same
     * int, because the sign and payload of a computed NaN depend on the machine.
     */
    void toKeys(float[] x, int from, int length, int[] keys);

    /** Maps ints of {@link #toKeys} back to floats. */
    void fromKeys(int[] keys, int length, float[] out, int to);

    /**
     * Applies a comparator: leaves the smaller int of each pair in {@code low}, the other in {@code
     * high}.
     */
    void exchange(int[] low, int[] high, int length);

    /**
     * Applies four comparators: (a, b) and (c, d), then (a, c) and (b, d). The smaller int goes
     * first.
     */
    void exchange(int[] a, int[] b, int[] c, int[] d, int length);

    /**
     * Sorts each column partially: afterwards, the rows of the network's ranks have the values of
     * these ranks, and other rows are undefined.
     *
     * @param keys keys as for {@link #sort(int[][], int, int, int, int[])}; {@code columns}, too
     */
    default void sort(SortingNetwork network, int[][] keys, int columns) {
        network.run(this, keys, columns);
    }

    /**
     * Writes the means of the floats whose keys are in the rows {@code low} to {@code high}. They
     * are added in double, in this order.
     *
     * @param keys sorted at least partially: these rows have the values of these ranks
     */
    void meanOfRanks(int[][] keys, int low, int high, int columns, float[] out, int to);

    /**
     * Sorts each column partially: afterwards, rows {@code low} to {@code high} have the values of
     * these ranks, and other rows are undefined.
     *
     * @param keys one array per row, with a length that is a multiple of {@link #LANES}; all
     *     columns up to this length may be sorted
     * @param columns number of columns
     * @param scratch {@link #scratchFor} ints
     */
    void sort(int[][] keys, int low, int high, int columns, int[] scratch);

    /**
     * Adds the floats whose keys have ranks {@code low} to {@code high} in a column, ascending and
     * in double. The keys are undefined afterwards.
     *
     * @param keys keys as for {@link #sort}; {@code columns} and {@code scratch}, too
     * @param sums receives one sum per column; as long as a row of keys
     */
    void sumOfRanks(int[][] keys, int low, int high, int columns, int[] scratch, double[] sums);

    /** Number of scratch ints for sorting this many rows. */
    static int scratchFor(int rows) {
        return (rows + 15) / 16 * 16 * LANES;
    }

    /**
     * One step of choosing, per coordinate, the window of sorted values closest to a center. First,
     * {@code nearest} becomes the smallest distance from the center of the ranks from {@code rank +
     * keep} on. If the value at {@code rank} is no farther away, the window starts there. NaN
     * distances count as infinite.
     *
     * @param low the values at {@code rank}
     * @param high the values at {@code rank + keep}
     * @param nearest the smallest distance of the ranks above {@code rank + keep}; updated
     * @param start the first rank of the window; updated
     */
    void chooseStart(
            float[] low,
            float[] high,
            double[] center,
            int rank,
            int length,
            double[] nearest,
            double[] start);

    /** Adds the values of a rank to the sums of the coordinates whose window contains it. */
    void addWindow(float[] x, double[] start, int rank, int keep, int length, double[] sums);
}
