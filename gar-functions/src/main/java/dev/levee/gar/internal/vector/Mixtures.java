package dev.levee.gar.internal.vector;

import dev.levee.gar.internal.Rows;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes several weighted sums of the same rows, as a product of matrices. Some coordinates of
 * all rows are widened to double once and stay in the second-level cache. The sums of two registers
 * of coordinates for four outputs stay in registers.
 */
final class Mixtures {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /** A vector of as many floats as a full register has doubles. */
    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    private static final int L = DOUBLES.length();

    /** Coordinates that are summed together. */
    static final int STEP = 2 * L;

    /** Outputs that are summed together. */
    private static final int TOGETHER = 4;

    /** Numbers that are widened at a time: 512 kB. */
    private static final int PANEL = 65536;

    private static final ThreadLocal<double[]> PANELS =
            ThreadLocal.withInitial(() -> new double[PANEL]);

    private Mixtures() {}

    /** Writes the first {@code whole} coordinates, a multiple of {@link #STEP}. */
    static void write(double[][] weights, Rows x, int count, int whole, float[][] out) {
        double[] some = new double[TOGETHER * count];
        float[][] outputs = new float[TOGETHER][];
        int width = Math.max(STEP, PANEL / Math.max(1, count) / STEP * STEP);
        double[] panel = PANELS.get();
        if (panel.length < width * count) {
            panel = new double[width * count];
            PANELS.set(panel);
        }
        for (int at = 0; at < whole; at += width) {
            int length = Math.min(width, whole - at);
            widen(x, count, at, length, panel);
            for (int o = 0; o < out.length; o += TOGETHER) {
                take(weights, count, out, o, some, outputs);
                for (int i = 0; i < length; i += STEP) {
                    sum(some, panel, i * count, count, outputs, at + i);
                }
            }
        }
    }

    /** Takes four outputs and their weights, row by row. Missing outputs repeat the last one. */
    private static void take(
            double[][] weights, int count, float[][] out, int o, double[] some, float[][] outputs) {
        for (int k = 0; k < TOGETHER; k++) {
            int output = Math.min(o + k, out.length - 1);
            double[] own = weights[output];
            for (int r = 0; r < count; r++) {
                some[r * TOGETHER + k] = own[r];
            }
            outputs[k] = out[output];
        }
    }

    /** Widens coordinates of all rows; those that are summed together are contiguous. */
    private static void widen(Rows x, int count, int at, int length, double[] panel) {
        for (int r = 0; r < count; r++) {
            float[] row = x.arrays()[r];
            int from = x.starts()[r] + at;
            for (int i = 0; i < length; i += STEP) {
                int to = i * count + r * STEP;
                wide(row, from + i).intoArray(panel, to);
                wide(row, from + i + L).intoArray(panel, to + L);
            }
        }
    }

    private static DoubleVector wide(float[] row, int from) {
        return (DoubleVector)
                FloatVector.fromArray(HALF, row, from)
                        .convertShape(VectorOperators.F2D, DOUBLES, 0);
    }

    private static void sum(
            double[] weights, double[] panel, int first, int count, float[][] out, int to) {
        DoubleVector a0 = DoubleVector.zero(DOUBLES);
        DoubleVector a1 = DoubleVector.zero(DOUBLES);
        DoubleVector b0 = DoubleVector.zero(DOUBLES);
        DoubleVector b1 = DoubleVector.zero(DOUBLES);
        DoubleVector c0 = DoubleVector.zero(DOUBLES);
        DoubleVector c1 = DoubleVector.zero(DOUBLES);
        DoubleVector d0 = DoubleVector.zero(DOUBLES);
        DoubleVector d1 = DoubleVector.zero(DOUBLES);
        int w = 0;
        int p = first;
        for (int r = 0; r < count; r++) {
            DoubleVector x0 = DoubleVector.fromArray(DOUBLES, panel, p);
            DoubleVector x1 = DoubleVector.fromArray(DOUBLES, panel, p + L);
            DoubleVector a = DoubleVector.broadcast(DOUBLES, weights[w]);
            a0 = a0.add(x0.mul(a));
            a1 = a1.add(x1.mul(a));
            DoubleVector b = DoubleVector.broadcast(DOUBLES, weights[w + 1]);
            b0 = b0.add(x0.mul(b));
            b1 = b1.add(x1.mul(b));
            DoubleVector c = DoubleVector.broadcast(DOUBLES, weights[w + 2]);
            c0 = c0.add(x0.mul(c));
            c1 = c1.add(x1.mul(c));
            DoubleVector d = DoubleVector.broadcast(DOUBLES, weights[w + 3]);
            d0 = d0.add(x0.mul(d));
            d1 = d1.add(x1.mul(d));
            w += TOGETHER;
            p += STEP;
        }
        round(a0, a1, out[0], to);
        round(b0, b1, out[1], to);
        round(c0, c1, out[2], to);
        round(d0, d1, out[3], to);
    }

    private static void round(DoubleVector low, DoubleVector high, float[] out, int to) {
        ((FloatVector) low.convertShape(VectorOperators.D2F, HALF, 0)).intoArray(out, to);
        ((FloatVector) high.convertShape(VectorOperators.D2F, HALF, 0)).intoArray(out, to + L);
    }
}
