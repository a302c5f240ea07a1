package dev.levee.gar.internal;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** {@link Kernels} in plain Java. They define the bits and are the fallback. */
public final class PlainKernels implements Kernels {
    private static final int INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
    private static final int NAN = Float.floatToIntBits(Float.NaN);

    @Override
    public void distances(Rows x, int a, int first, int count, float[] lanes) {
        Arrays.fill(lanes, 0, count * LANES, 0f);
        addDistances(x, a, first, count, 0, lanes);
    }

    /** Adds the coordinates from {@code start}, a multiple of {@link #LANES}, to the lane sums. */
    public void addDistances(Rows x, int a, int first, int count, int start, float[] lanes) {
        for (int r = 0; r < count; r++) {
            addDistance(x, a, first + r, start, lanes, r * LANES);
        }
    }

    @Override
    public void tileOfDistances(Rows x, int a, int b, float[] lanes) {
        Arrays.fill(lanes, 0, TILE, 0f);
        tileOfDistances(x, a, b, 0, lanes);
    }

    /** Adds the coordinates from {@code start}, a multiple of {@link #LANES}, to a tile's sums. */
    public void tileOfDistances(Rows x, int a, int b, int start, float[] lanes) {
        int last = x.arrays().length - 1;
        for (int pair = 0; pair < TILE_ROWS * TILE_COLUMNS; pair++) {
            int column = Math.min(b + pair % TILE_COLUMNS, last);
            addDistance(x, a + pair / TILE_COLUMNS, column, start, lanes, pair * LANES);
        }
    }

    private static void addDistance(Rows x, int a, int b, int start, float[] lanes, int at) {
        float[] rowA = x.arrays()[a];
        float[] rowB = x.arrays()[b];
        int fromA = x.starts()[a];
        int fromB = x.starts()[b];
        int end = start + (x.length() - start) / LANES * LANES;
        for (int lane = 0; lane < LANES; lane += 8) {
            addEightDistances(rowA, fromA + lane, rowB, fromB + lane, start, end, lanes, at + lane);
        }
        for (int i = end; i < x.length(); i++) {
            float difference = rowA[fromA + i] - rowB[fromB + i];
            lanes[at + i % LANES] += difference * difference;
        }
    }

    /**
     * Processes eight lanes at a time, in local variables: an addition to an array element would
     * wait until the previous sum is stored.
     */
    private static void addEightDistances(
            float[] p, int fromP, float[] q, int fromQ, int start, int end, float[] lanes, int at) {
        float sum0 = lanes[at];
        float sum1 = lanes[at + 1];
        float sum2 = lanes[at + 2];
        float sum3 = lanes[at + 3];
        float sum4 = lanes[at + 4];
        float sum5 = lanes[at + 5];
        float sum6 = lanes[at + 6];
        float sum7 = lanes[at + 7];
        for (int i = start; i < end; i += LANES) {
            int u = fromP + i;
            int v = fromQ + i;
            float d0 = p[u] - q[v];
            sum0 += d0 * d0;
            float d1 = p[u + 1] - q[v + 1];
            sum1 += d1 * d1;
            float d2 = p[u + 2] - q[v + 2];
            sum2 += d2 * d2;
            float d3 = p[u + 3] - q[v + 3];
            sum3 += d3 * d3;
            float d4 = p[u + 4] - q[v + 4];
            sum4 += d4 * d4;
            float d5 = p[u + 5] - q[v + 5];
            sum5 += d5 * d5;
            float d6 = p[u + 6] - q[v + 6];
            sum6 += d6 * d6;
            float d7 = p[u + 7] - q[v + 7];
            sum7 += d7 * d7;
        }
        lanes[at] = sum0;
        lanes[at + 1] = sum1;
        lanes[at + 2] = sum2;
        lanes[at + 3] = sum3;
        lanes[at + 4] = sum4;
        lanes[at + 5] = sum5;
        lanes[at + 6] = sum6;
        lanes[at + 7] = sum7;
    }

    @Override
    public void products(Rows x, int a, int first, int count, float[] lanes) {
        Arrays.fill(lanes, 0, count * LANES, 0f);
        addProducts(x, a, first, count, 0, lanes);
    }

    /** Adds the coordinates from {@code start}, a multiple of {@link #LANES}, to the lane sums. */
    public void addProducts(Rows x, int a, int first, int count, int start, float[] lanes) {
        for (int r = 0; r < count; r++) {
            addProduct(x, a, first + r, start, lanes, r * LANES);
        }
    }

    @Override
    public void tileOfProducts(Rows x, int a, int b, float[] lanes) {
        Arrays.fill(lanes, 0, TILE, 0f);
        tileOfProducts(x, a, b, 0, lanes);
    }

    /** Adds the coordinates from {@code start}, a multiple of {@link #LANES}, to a tile's sums. */
    public void tileOfProducts(Rows x, int a, int b, int start, float[] lanes) {
        int last = x.arrays().length - 1;
        for (int pair = 0; pair < TILE_ROWS * TILE_COLUMNS; pair++) {
            int column = Math.min(b + pair % TILE_COLUMNS, last);
            addProduct(x, a + pair / TILE_COLUMNS, column, start, lanes, pair * LANES);
        }
    }

    private static void addProduct(Rows x, int a, int b, int start, float[] lanes, int at) {
        float[] rowA = x.arrays()[a];
        float[] rowB = x.arrays()[b];
        int fromA = x.starts()[a];
        int fromB = x.starts()[b];
        int end = start + (x.length() - start) / LANES * LANES;
        for (int lane = 0; lane < LANES; lane += 8) {
            addEightProducts(rowA, fromA + lane, rowB, fromB + lane, start, end, lanes, at + lane);
        }
        for (int i = end; i < x.length(); i++) {
            lanes[at + i % LANES] += rowA[fromA + i] * rowB[fromB + i];
        }
    }

    private static void addEightProducts(
            float[] p, int fromP, float[] q, int fromQ, int start, int end, float[] lanes, int at) {
        float sum0 = lanes[at];
        float sum1 = lanes[at + 1];
        float sum2 = lanes[at + 2];
        float sum3 = lanes[at + 3];
        float sum4 = lanes[at + 4];
        float sum5 = lanes[at + 5];
        float sum6 = lanes[at + 6];
        float sum7 = lanes[at + 7];
        for (int i = start; i < end; i += LANES) {
            int u = fromP + i;
            int v = fromQ + i;
            sum0 += p[u] * q[v];
            sum1 += p[u + 1] * q[v + 1];
            sum2 += p[u + 2] * q[v + 2];
            sum3 += p[u + 3] * q[v + 3];
            sum4 += p[u + 4] * q[v + 4];
            sum5 += p[u + 5] * q[v + 5];
            sum6 += p[u + 6] * q[v + 6];
            sum7 += p[u + 7] * q[v + 7];
        }
        lanes[at] = sum0;
        lanes[at + 1] = sum1;
        lanes[at + 2] = sum2;
        lanes[at + 3] = sum3;
        lanes[at + 4] = sum4;
        lanes[at + 5] = sum5;
        lanes[at + 6] = sum6;
        lanes[at + 7] = sum7;
    }

    @Override
    public void combine(double[] weights, Rows x, int count, double divisor, float[] out, int to) {
        PlainSums.combine(weights, x, count, 0, divisor, out, to);
    }

    @Override
    public void combine(
            double[] weights,
            ByteBuffer[] rows,
            int from,
            int length,
            double divisor,
            float[] out,
            int to) {
        PlainSums.combine(weights, rows, from, length, divisor, out, to);
    }

    @Override
    public void add(Rows x, int first, int count, double[] sums, boolean fresh) {
        add(x, first, count, 0, sums, fresh);
    }

    /** Adds the coordinates from {@code start} to the sums. */
    public void add(Rows x, int first, int count, int start, double[] sums, boolean fresh) {
        if (fresh) {
            Arrays.fill(sums, start, x.length(), 0);
        }
        for (int r = first; r < first + count; r++) {
            float[] row = x.arrays()[r];
            int from = x.starts()[r];
            for (int i = start; i < x.length(); i++) {
                sums[i] += row[from + i];
            }
        }
    }

    @Override
    public void subtract(Rows x, int a, int b, float[] out, int to) {
        subtract(x, a, b, 0, out, to);
    }

    /** Writes the differences from {@code start}. */
    public void subtract(Rows x, int a, int b, int start, float[] out, int to) {
        float[] rowA = x.arrays()[a];
        float[] rowB = x.arrays()[b];
        int fromA = x.starts()[a];
        int fromB = x.starts()[b];
        for (int i = start; i < x.length(); i++) {
            out[to + i] = (rowA[fromA + i] - rowB[fromB + i]) + 0f;
        }
    }

    @Override
    public boolean finite(float[] x, int from, int length) {
        return finiteTo(x, from, from + length);
    }

    /** Adds up x·0, which is 0 for finite x and NaN otherwise, in independent sums. */
    public static boolean finiteTo(float[] x, int from, int to) {
        float sum0 = 0;
        float sum1 = 0;
        float sum2 = 0;
        float sum3 = 0;
        int i = from;
        for (; i + 3 < to; i += 4) {
            sum0 += x[i] * 0f;
            sum1 += x[i + 1] * 0f;
            sum2 += x[i + 2] * 0f;
            sum3 += x[i + 3] * 0f;
        }
        for (; i < to; i++) {
            sum0 += x[i] * 0f;
        }
        return sum0 + sum1 + sum2 + sum3 == 0f;
    }

    @Override
    public void divide(double[] sums, double divisor, int length, float[] out, int to) {
        for (int i = 0; i < length; i++) {
            out[to + i] = (float) (sums[i] / divisor);
        }
    }

    @Override
    public void toKeys(float[] x, int from, int length, int[] keys) {
        // The compiler vectorizes these two steps, but not key(float).
        for (int i = 0; i < length; i++) {
            keys[i] = Float.floatToRawIntBits(x[from + i]);
        }
        for (int i = 0; i < length; i++) {
            int bits = keys[i];
            int nan = (INFINITY - (bits & Integer.MAX_VALUE)) >> 31;
            keys[i] = flip((bits & ~nan) | (NAN & nan));
        }
    }

    @Override
    public void fromKeys(int[] keys, int length, float[] out, int to) {
        for (int i = 0; i < length; i++) {
            out[to + i] = Float.intBitsToFloat(flip(keys[i]));
        }
    }

    @Override
    public void exchange(int[] low, int[] high, int length) {
        for (int i = 0; i < length; i++) {
            int a = low[i];
            int b = high[i];
            int difference = a - b;
            // −1 if a < b, even if the difference overflows (Warren, Hacker's Delight, section
            // 2-12). The compiler of JDK 17 vectorizes this, but not Math.min.
            int less = (difference ^ ((a ^ b) & (difference ^ a))) >> 31;
            low[i] = b + (difference & less);
            high[i] = a - (difference & less);
        }
    }

    @Override
    public void exchange(int[] a, int[] b, int[] c, int[] d, int length) {
        exchange(a, b, length);
        exchange(c, d, length);
        exchange(a, c, length);
        exchange(b, d, length);
    }

    @Override
    public void meanOfRanks(int[][] keys, int low, int high, int columns, float[] out, int to) {
        meanOfRanks(keys, low, high, 0, columns, out, to);
    }

    /** Writes the means of the columns from {@code start} on. */
    public void meanOfRanks(
            int[][] keys, int low, int high, int start, int columns, float[] out, int to) {
        double[] sums = new double[columns - start];
        for (int r = low; r <= high; r++) {
            int[] row = keys[r];
            for (int i = 0; i < sums.length; i++) {
                sums[i] += Float.intBitsToFloat(flip(row[start + i]));
            }
        }
        divide(sums, high - low + 1, sums.length, out, to + start);
    }

    @Override
    public void sort(int[][] keys, int low, int high, int columns, int[] scratch) {
        for (int c = 0; c < columns; c++) {
            for (int r = 0; r < keys.length; r++) {
                scratch[r] = keys[r][c];
            }
            Arrays.sort(scratch, 0, keys.length);
            for (int r = low; r <= high; r++) {
                keys[r][c] = scratch[r];
            }
        }
    }

    @Override
    public void sumOfRanks(
            int[][] keys, int low, int high, int columns, int[] scratch, double[] sums) {
        sort(keys, low, high, columns, scratch);
        Arrays.fill(sums, 0, columns, 0);
        for (int r = low; r <= high; r++) {
            for (int c = 0; c < columns; c++) {
                sums[c] += Float.intBitsToFloat(flip(keys[r][c]));
            }
        }
    }

    @Override
    public void chooseStart(
            float[] low,
            float[] high,
            double[] center,
            int rank,
            int length,
            double[] nearest,
            double[] start) {
        chooseStart(low, high, center, rank, 0, length, nearest, start);
    }

    /** Chooses the start for the coordinates from {@code first} on. */
    public void chooseStart(
            float[] low,
            float[] high,
            double[] center,
            int rank,
            int first,
            int length,
            double[] nearest,
            double[] start) {
        for (int i = first; i < length; i++) {
            double above = Math.abs(center[i] - high[i]);
            if (above < nearest[i]) {
                nearest[i] = above;
            }
            double below = Math.abs(center[i] - low[i]);
            if (below <= nearest[i] || nearest[i] == Double.POSITIVE_INFINITY) {
                start[i] = rank;
            }
        }
    }

    @Override
    public void addWindow(
            float[] x, double[] start, int rank, int keep, int length, double[] sums) {
        addWindow(x, start, rank, keep, 0, length, sums);
    }

    /** Adds the coordinates from {@code first}. */
    public void addWindow(
            float[] x, double[] start, int rank, int keep, int first, int length, double[] sums) {
        for (int i = first; i < length; i++) {
            sums[i] += start[i] <= rank && rank - keep < start[i] ? x[i] : 0;
        }
    }

    /** The key of a float: {@link Float#floatToIntBits} makes all NaNs equal. */
    public static int key(float x) {
        return flip(Float.floatToIntBits(x));
    }

    /** Reverses the order of negative floats' bits, so that ints compare as the floats do. */
    public static int flip(int bits) {
        return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
    }
}
