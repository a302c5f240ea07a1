package dev.levee.gar.internal;

import java.util.Arrays;

/** {@link Kernels} in plain Java: the reference for the bits, and the fallback. */
public final class PlainKernels implements Kernels {
    @Override
    public void distances(
            float[] a,
            int aFrom,
            float[][] b,
            int[] bFrom,
            int first,
            int count,
            int length,
            float[] lanes) {
        Arrays.fill(lanes, 0, count * LANES, 0f);
        addDistances(a, aFrom, b, bFrom, first, count, 0, length, lanes);
    }

    /** Adds the coordinates from {@code start}, a multiple of {@link #LANES}, to the lane sums. */
    public void addDistances(
            float[] a,
            int aFrom,
            float[][] b,
            int[] bFrom,
            int first,
            int count,
            int start,
            int length,
            float[] lanes) {
        for (int r = 0; r < count; r++) {
            addDistances(a, aFrom, b[first + r], bFrom[first + r], start, length, lanes, r);
        }
    }

    private static void addDistances(
            float[] a,
            int aFrom,
            float[] b,
            int bFrom,
            int start,
            int length,
            float[] lanes,
            int pair) {
        for (int i = start; i < length; i++) {
            float difference = a[aFrom + i] - b[bFrom + i];
            lanes[pair * LANES + i % LANES] += difference * difference;
        }
    }

    @Override
    public void distances(
            float[][] x, int[] from, int a, int b, int last, int length, float[] lanes) {
        Arrays.fill(lanes, 0, TILE_ROWS * TILE_COLUMNS * LANES, 0f);
        addDistances(x, from, a, b, last, 0, length, lanes);
    }

    /** Adds the coordinates from {@code start}, a multiple of {@link #LANES}, to a tile's sums. */
    public void addDistances(
            float[][] x, int[] from, int a, int b, int last, int start, int length, float[] lanes) {
        for (int pair = 0; pair < TILE_ROWS * TILE_COLUMNS; pair++) {
            int row = a + pair / TILE_COLUMNS;
            int column = Math.min(b + pair % TILE_COLUMNS, last);
            addDistances(x[row], from[row], x[column], from[column], start, length, lanes, pair);
        }
    }

    @Override
    public void products(
            float[] a,
            int aFrom,
            float[][] b,
            int[] bFrom,
            int first,
            int count,
            int length,
            float[] lanes) {
        Arrays.fill(lanes, 0, count * LANES, 0f);
        addProducts(a, aFrom, b, bFrom, first, count, 0, length, lanes);
    }

    /** Adds the coordinates from {@code start}, a multiple of {@link #LANES}, to the lane sums. */
    public void addProducts(
            float[] a,
            int aFrom,
            float[][] b,
            int[] bFrom,
            int first,
            int count,
            int start,
            int length,
            float[] lanes) {
        for (int r = 0; r < count; r++) {
            addProducts(a, aFrom, b[first + r], bFrom[first + r], start, length, lanes, r);
        }
    }

    private static void addProducts(
            float[] a,
            int aFrom,
            float[] b,
            int bFrom,
            int start,
            int length,
            float[] lanes,
            int pair) {
        for (int i = start; i < length; i++) {
            lanes[pair * LANES + i % LANES] += a[aFrom + i] * b[bFrom + i];
        }
    }

    @Override
    public void products(
            float[][] x, int[] from, int a, int b, int last, int length, float[] lanes) {
        Arrays.fill(lanes, 0, TILE_ROWS * TILE_COLUMNS * LANES, 0f);
        addProducts(x, from, a, b, last, 0, length, lanes);
    }

    /** Adds the coordinates from {@code start}, a multiple of {@link #LANES}, to a tile's sums. */
    public void addProducts(
            float[][] x, int[] from, int a, int b, int last, int start, int length, float[] lanes) {
        for (int pair = 0; pair < TILE_ROWS * TILE_COLUMNS; pair++) {
            int row = a + pair / TILE_COLUMNS;
            int column = Math.min(b + pair % TILE_COLUMNS, last);
            addProducts(x[row], from[row], x[column], from[column], start, length, lanes, pair);
        }
    }

    @Override
    public void addWeighted(
            double[] weights,
            float[][] x,
            int[] from,
            int first,
            int count,
            int length,
            double[] sums) {
        addWeighted(weights, x, from, first, count, 0, length, sums);
    }

    /** Adds the coordinates from {@code start} to the sums. */
    public void addWeighted(
            double[] weights,
            float[][] x,
            int[] from,
            int first,
            int count,
            int start,
            int length,
            double[] sums) {
        for (int r = first; r < first + count; r++) {
            double weight = weights[r];
            float[] row = x[r];
            int rowFrom = from[r];
            for (int i = start; i < length; i++) {
                sums[i] += weight * row[rowFrom + i];
            }
        }
    }

    @Override
    public void add(
            float[][] x,
            int[] from,
            int first,
            int count,
            int length,
            double[] sums,
            boolean fresh) {
        add(x, from, first, count, 0, length, sums, fresh);
    }

    /** Adds the coordinates from {@code start} to the sums. */
    public void add(
            float[][] x,
            int[] from,
            int first,
            int count,
            int start,
            int length,
            double[] sums,
            boolean fresh) {
        if (fresh) {
            Arrays.fill(sums, start, length, 0);
        }
        for (int r = first; r < first + count; r++) {
            float[] row = x[r];
            int rowFrom = from[r];
            for (int i = start; i < length; i++) {
                sums[i] += row[rowFrom + i];
            }
        }
    }

    @Override
    public boolean finite(float[] x, int length) {
        return finite(x, 0, length);
    }

    /**
     * Adds up x·0, which is 0 for finite x and NaN otherwise, in sums that do not wait for one
     * another.
     */
    public static boolean finite(float[] x, int from, int length) {
        float sum0 = 0;
        float sum1 = 0;
        float sum2 = 0;
        float sum3 = 0;
        int i = from;
        for (; i + 3 < length; i += 4) {
            sum0 += x[i] * 0f;
            sum1 += x[i + 1] * 0f;
            sum2 += x[i + 2] * 0f;
            sum3 += x[i + 3] * 0f;
        }
        for (; i < length; i++) {
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
        for (int i = 0; i < length; i++) {
            keys[i] = key(x[from + i]);
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
            low[i] = Math.min(a, b);
            high[i] = Math.max(a, b);
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

    /** Chooses for the coordinates from {@code first}. */
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

    /** The key of one float: {@link Float#floatToIntBits} makes every NaN the same. */
    public static int key(float x) {
        return flip(Float.floatToIntBits(x));
    }

    /** Reverses the order of negative floats' bits, so that ints compare as the floats do. */
    public static int flip(int bits) {
        return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
    }
}
