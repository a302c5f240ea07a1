package dev.levee.gar.internal;

/**
 * The innermost loops. Sums over coordinates take a chunk, at most {@link #CHUNK} of them; what is
 * done coordinate by coordinate takes as many as are given. Two implementations give the same bits:
 * one in plain Java and one in the Vector API. Sums of a chunk are formed in {@link #LANES} float
 * lanes: coordinate {@code i} of the chunk is added to lane {@code i mod LANES}, in order of {@code
 * i}, with a rounding after each multiplication and each addition.
 */
public interface Kernels {
    /** Coordinates per chunk. */
    int CHUNK = 4096;

    /** Float lanes of a chunk's sum. */
    int LANES = 16;

    /** Rows a of a tile of pairs: with three, C2 runs out of nodes before all is inlined. */
    int TILE_ROWS = 2;

    /** Rows b of a tile of pairs. */
    int TILE_COLUMNS = 4;

    /**
     * Writes the lane sums of (a − b)² between a row and several others.
     *
     * @param a the one row
     * @param first the first of the others
     * @param count number of others, at least 1
     * @param lanes receives {@link #LANES} sums for each; room for {@link #lanesFor} is needed
     */
    void distances(Rows x, int a, int first, int count, float[] lanes);

    /** Writes the lane sums of a·b between a row and several others, like {@link #distances}. */
    void products(Rows x, int a, int first, int count, float[] lanes);

    /**
     * Writes the lane sums of (a − b)² for a tile of pairs: {@link #TILE_ROWS} rows a against
     * {@link #TILE_COLUMNS} rows b, so that each is loaded once for several pairs. The last row
     * stands in for those behind it.
     *
     * @param a the first of the rows a
     * @param b the first of the rows b
     * @param lanes receives the sums of pair (a + i, b + j) from {@code (i * TILE_COLUMNS + j) *
     *     LANES}
     */
    void tileOfDistances(Rows x, int a, int b, float[] lanes);

    /** Writes the lane sums of a·b for a tile of pairs, like {@link #tileOfDistances}. */
    void tileOfProducts(Rows x, int a, int b, float[] lanes);

    /** Room for the lane sums of {@code count} rows: kernels take rows in fours. */
    static int lanesFor(int count) {
        return (count + 3) / 4 * 4 * LANES;
    }

    /**
     * Adds weighted rows to sums, row after row: {@code sums[i] += weights[r] * x[r][i]}.
     *
     * @param first the first row
     * @param count number of rows
     */
    void addWeighted(double[] weights, Rows x, int first, int count, double[] sums);

    /**
     * Adds rows to sums, row after row: {@code sums[i] += x[r][i]}.
     *
     * @param first the first row
     * @param count number of rows, at least 1
     * @param fresh whether the sums begin at 0, whatever they hold
     */
    void add(Rows x, int first, int count, double[] sums, boolean fresh);

    /**
     * Writes the difference of two rows, {@code x[a][i] - x[b][i]}, and +0 where that is −0: what
     * their sum in double with the weights 1 and −1 rounds to, for a double has more than twice the
     * digits of a float.
     */
    void subtract(Rows x, int a, int b, float[] out, int to);

    /** True if neither NaN nor an infinity is among {@code length} values from an index on. */
    boolean finite(float[] x, int from, int length);

    /** Rounds quotients to float: {@code out[to + i] = (float) (sums[i] / divisor)}. */
    void divide(double[] sums, double divisor, int length, float[] out, int to);

    /**
     * Maps floats to ints of the same order: −∞, …, −0, +0, …, +∞, NaN. Every NaN maps to the same
     * int, because the sign and payload of a computed NaN depend on the machine.
     */
    void toKeys(float[] x, int from, int length, int[] keys);

    /** Maps ints of {@link #toKeys} back. */
    void fromKeys(int[] keys, int length, float[] out, int to);

    /**
     * A comparator: leaves the smaller int of each pair in {@code low}, the other in {@code high}.
     */
    void exchange(int[] low, int[] high, int length);

    /** Four comparators: (a, b) and (c, d), then (a, c) and (b, d), the smaller int first. */
    void exchange(int[] a, int[] b, int[] c, int[] d, int length);

    /**
     * Sorts columns: brings their values at ranks {@code low} to {@code high} to these rows. What
     * the other rows hold afterwards is not defined.
     *
     * @param keys one array for each row, as long as {@link #LANES} allows: columns up to a
     *     multiple of them are sorted, too
     * @param columns number of columns
     * @param scratch room for {@link #scratchFor} ints
     */
    void sort(int[][] keys, int low, int high, int columns, int[] scratch);

    /**
     * Adds up the floats whose keys have the ranks {@code low} to {@code high} of a column, upwards
     * and in double. What the keys are afterwards is not defined.
     *
     * @param keys as for {@link #sort}, and so are the columns and the scratch memory
     * @param sums receives a sum for each column; as long as a row of keys
     */
    void sumOfRanks(int[][] keys, int low, int high, int columns, int[] scratch, double[] sums);

    /** Ints that a sort of so many rows needs besides. */
    static int scratchFor(int rows) {
        return (rows + 15) / 16 * 16 * LANES;
    }

    /**
     * One step of choosing, for each coordinate, the window of sorted values closest to a center.
     * Of the values at ranks from {@code rank + keep} up, {@code nearest} becomes the least
     * distance to the center; where the value at {@code rank} is not farther than that, the window
     * starts there. A distance that is not a number is infinite.
     *
     * @param low the values at {@code rank}
     * @param high the values at {@code rank + keep}
     * @param nearest the least distance of the ranks above {@code rank + keep}; updated
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

    /** Adds the values of a rank to the sums of those coordinates whose window holds that rank. */
    void addWindow(float[] x, double[] start, int rank, int keep, int length, double[] sums);
}
