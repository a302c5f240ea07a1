package dev.levee.gar.internal;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Computes sums of rows divided by a divisor, in plain Java: see {@link Kernels#combine}. */
public final class PlainSums {
    /** Coordinates that are combined at a time, so that sums stay in the first-level cache. */
    private static final int TOGETHER = 1024;

    private PlainSums() {}

    /** Combines the coordinates from {@code start}. */
    public static void combine(
            double[] weights, Rows x, int count, int start, double divisor, float[] out, int to) {
        double[] sums = new double[Math.min(TOGETHER, x.length() - start)];
        for (int at = start; at < x.length(); at += TOGETHER) {
            int length = Math.min(TOGETHER, x.length() - at);
            Arrays.fill(sums, 0);
            for (int r = 0; r < count; r++) {
                float[] row = x.arrays()[r];
                int from = x.starts()[r] + at;
                if (weights == null) {
                    for (int i = 0; i < length; i++) {
                        sums[i] += row[from + i];
                    }
                } else {
                    double weight = weights[r];
                    for (int i = 0; i < length; i++) {
                        sums[i] += weight * row[from + i];
                    }
                }
            }
            for (int i = 0; i < length; i++) {
                out[to + at + i] = (float) (sums[i] / divisor);
            }
        }
    }

    /** Combines rows outside the heap. */
    static void combine(
            double[] weights,
            ByteBuffer[] rows,
            int from,
            int length,
            double divisor,
            float[] out,
            int to) {
        float[][] copies = new float[rows.length][Math.min(length, TOGETHER)];
        int[] starts = new int[rows.length];
        for (int at = 0; at < length; at += TOGETHER) {
            int some = Math.min(TOGETHER, length - at);
            for (int r = 0; r < rows.length; r++) {
                rows[r].asFloatBuffer().get(from + at, copies[r], 0, some);
            }
            Rows x = new Rows(copies, starts, some);
            combine(weights, x, rows.length, 0, divisor, out, to + at);
        }
    }

    /** Combines a few coordinates of rows outside the heap, without allocating memory. */
    public static void combineFew(
            double[] weights,
            ByteBuffer[] rows,
            int from,
            int length,
            double divisor,
            float[] out,
            int to) {
        for (int i = 0; i < length; i++) {
            double sum = 0;
            for (int r = 0; r < rows.length; r++) {
                double value = rows[r].getFloat((from + i) * Float.BYTES);
                sum += weights == null ? value : weights[r] * value;
            }
            out[to + i] = (float) (sum / divisor);
        }
    }
}
