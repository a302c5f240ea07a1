package dev.levee.gar.internal;

import java.util.Arrays;

/** {@link Kernels} in plain Java: the reference for the bits, and the fallback. */
public final class PlainKernels implements Kernels {
    @Override
    public void distance(float[] a, int aFrom, float[] b, int bFrom, int length, float[] lanes) {
        Arrays.fill(lanes, 0, LANES, 0f);
        int i = 0;
        for (; i + LANES <= length; i += LANES) {
            for (int lane = 0; lane < LANES; lane++) {
                float difference = a[aFrom + i + lane] - b[bFrom + i + lane];
                lanes[lane] += difference * difference;
            }
        }
        for (int lane = 0; i < length; i++, lane++) {
            float difference = a[aFrom + i] - b[bFrom + i];
            lanes[lane] += difference * difference;
        }
    }

    @Override
    public void product(float[] a, int aFrom, float[] b, int bFrom, int length, float[] lanes) {
        Arrays.fill(lanes, 0, LANES, 0f);
        int i = 0;
        for (; i + LANES <= length; i += LANES) {
            for (int lane = 0; lane < LANES; lane++) {
                lanes[lane] += a[aFrom + i + lane] * b[bFrom + i + lane];
            }
        }
        for (int lane = 0; i < length; i++, lane++) {
            lanes[lane] += a[aFrom + i] * b[bFrom + i];
        }
    }

    @Override
    public void add(float[] x, int from, int length, double[] sums) {
        for (int i = 0; i < length; i++) {
            sums[i] += x[from + i];
        }
    }

    @Override
    public void addScaled(double weight, float[] x, int from, int length, double[] sums) {
        for (int i = 0; i < length; i++) {
            sums[i] += weight * x[from + i];
        }
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
            keys[i] = flip(Float.floatToRawIntBits(x[from + i]));
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

    /** Reverses the order of negative floats' bits, so that ints compare as the floats do. */
    static int flip(int bits) {
        return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
    }
}
