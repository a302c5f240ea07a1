package dev.levee.gar.internal;

/**
 * The innermost loops, over at most {@link #CHUNK} coordinates. Two implementations give the same
 * bits: one in plain Java and one in the Vector API. Sums of a chunk are formed in {@link #LANES}
 * float lanes: coordinate {@code i} of the chunk is added to lane {@code i mod LANES}, in order of
 * {@code i}, with a rounding after each multiplication and each addition.
 */
public interface Kernels {
    /** Coordinates per chunk. */
    int CHUNK = 4096;

    /** Float lanes of a chunk's sum. */
    int LANES = 16;

    /** Writes the lane sums of (a − b)² to {@code lanes}. */
    void distance(float[] a, int aFrom, float[] b, int bFrom, int length, float[] lanes);

    /** Writes the lane sums of a·b to {@code lanes}. */
    void product(float[] a, int aFrom, float[] b, int bFrom, int length, float[] lanes);

    /** Adds a row to sums: {@code sums[i] += x[from + i]}. */
    void add(float[] x, int from, int length, double[] sums);

    /** Adds a weighted row to sums: {@code sums[i] += weight * x[from + i]}. */
    void addScaled(double weight, float[] x, int from, int length, double[] sums);

    /** Rounds quotients to float: {@code out[to + i] = (float) (sums[i] / divisor)}. */
    void divide(double[] sums, double divisor, int length, float[] out, int to);

    /**
     * Maps floats to ints of the same order: −NaN, −∞, …, −0, +0, …, +∞, NaN. Its own inverse up to
     * the change of type, see {@link #fromKeys}.
     */
    void toKeys(float[] x, int from, int length, int[] keys);

    /** Maps ints of {@link #toKeys} back. */
    void fromKeys(int[] keys, int length, float[] out, int to);

    /**
     * A comparator: leaves the smaller int of each pair in {@code low}, the other in {@code high}.
     */
    void exchange(int[] low, int[] high, int length);
}
