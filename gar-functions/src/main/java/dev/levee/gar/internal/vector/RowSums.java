package dev.levee.gar.internal.vector;

import dev.levee.gar.internal.Rows;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

import java.util.Arrays;

/**
 * Adds rows, weighted or not, to sums in double. It adds eight, four or one row at a time, so that
 * sums are stored less often. A fresh sum begins at 0 without a load.
 *
 * <p>If sums stayed in registers, a processor would read all rows at once. Some processors
 * recognize too few streams of memory to read ahead; on those, 20 rows of a million values would
 * take three times as long, and 50 rows five times.
 */
final class RowSums {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /** A vector of as many floats as a full register has doubles. */
    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    /**
     * Coordinates that are combined at a time. Their sums stay in the cache, and long stretches of
     * memory are read faster than short ones.
     */
    private static final int TOGETHER = 4096;

    private static final ThreadLocal<double[]> SUMS =
            ThreadLocal.withInitial(() -> new double[TOGETHER]);

    private RowSums() {}

    /**
     * Writes the sum of rows divided by a divisor. {@code whole} is the number of coordinates, a
     * multiple of a register's length.
     *
     * @param weights weights of the rows, null to add them unweighted
     */
    static void combine(
            double[] weights, Rows x, int count, int whole, double divisor, float[] out, int to) {
        double[] sums = SUMS.get();
        if (count == 0) {
            Arrays.fill(sums, 0);
        }
        for (int at = 0; at < whole; at += TOGETHER) {
            int length = Math.min(TOGETHER, whole - at);
            add(weights, x, 0, count, at, length, sums, true);
            Quotient.write(sums, divisor, length, out, to + at);
        }
    }

    /**
     * Adds {@code count} rows from {@code first} on to one sum per coordinate.
     *
     * @param weights weights of the rows, null to add them unweighted
     * @param at the first coordinate
     * @param whole number of coordinates, a multiple of a register's length
     */
    static void add(
            double[] weights,
            Rows x,
            int first,
            int count,
            int at,
            int whole,
            double[] sums,
            boolean fresh) {
        int last = first + count;
        boolean empty = fresh;
        int r = first;
        for (; r + 8 <= last; r += 8) {
            eight(weights, x, r, at, whole, sums, empty);
            empty = false;
        }
        for (; r + 4 <= last; r += 4) {
            four(weights, x, r, at, whole, sums, empty);
            empty = false;
        }
        for (; r < last; r++) {
            one(weights, x, r, at, whole, sums, empty);
            empty = false;
        }
    }

    private static void one(
            double[] weights, Rows x, int first, int at, int whole, double[] sums, boolean fresh) {
        boolean weighted = weights != null;
        double weight = weighted ? weights[first] : 1;
        float[] x0 = x.arrays()[first];
        int from = x.starts()[first] + at;
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            begin(sums, i, fresh).add(term(weighted, weight, x0, from + i)).intoArray(sums, i);
        }
    }

    private static void four(
            double[] weights, Rows x, int first, int at, int whole, double[] sums, boolean fresh) {
        boolean weighted = weights != null;
        double weight0 = weighted ? weights[first] : 1;
        double weight1 = weighted ? weights[first + 1] : 1;
        double weight2 = weighted ? weights[first + 2] : 1;
        double weight3 = weighted ? weights[first + 3] : 1;
        float[] x0 = x.arrays()[first];
        float[] x1 = x.arrays()[first + 1];
        float[] x2 = x.arrays()[first + 2];
        float[] x3 = x.arrays()[first + 3];
        int from0 = x.starts()[first] + at;
        int from1 = x.starts()[first + 1] + at;
        int from2 = x.starts()[first + 2] + at;
        int from3 = x.starts()[first + 3] + at;
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            begin(sums, i, fresh)
                    .add(term(weighted, weight0, x0, from0 + i))
                    .add(term(weighted, weight1, x1, from1 + i))
                    .add(term(weighted, weight2, x2, from2 + i))
                    .add(term(weighted, weight3, x3, from3 + i))
                    .intoArray(sums, i);
        }
    }

    private static void eight(
            double[] weights, Rows x, int first, int at, int whole, double[] sums, boolean fresh) {
        boolean weighted = weights != null;
        double weight0 = weighted ? weights[first] : 1;
        double weight1 = weighted ? weights[first + 1] : 1;
        double weight2 = weighted ? weights[first + 2] : 1;
        double weight3 = weighted ? weights[first + 3] : 1;
        double weight4 = weighted ? weights[first + 4] : 1;
        double weight5 = weighted ? weights[first + 5] : 1;
        double weight6 = weighted ? weights[first + 6] : 1;
        double weight7 = weighted ? weights[first + 7] : 1;
        float[] x0 = x.arrays()[first];
        float[] x1 = x.arrays()[first + 1];
        float[] x2 = x.arrays()[first + 2];
        float[] x3 = x.arrays()[first + 3];
        float[] x4 = x.arrays()[first + 4];
        float[] x5 = x.arrays()[first + 5];
        float[] x6 = x.arrays()[first + 6];
        float[] x7 = x.arrays()[first + 7];
        int from0 = x.starts()[first] + at;
        int from1 = x.starts()[first + 1] + at;
        int from2 = x.starts()[first + 2] + at;
        int from3 = x.starts()[first + 3] + at;
        int from4 = x.starts()[first + 4] + at;
        int from5 = x.starts()[first + 5] + at;
        int from6 = x.starts()[first + 6] + at;
        int from7 = x.starts()[first + 7] + at;
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            begin(sums, i, fresh)
                    .add(term(weighted, weight0, x0, from0 + i))
                    .add(term(weighted, weight1, x1, from1 + i))
                    .add(term(weighted, weight2, x2, from2 + i))
                    .add(term(weighted, weight3, x3, from3 + i))
                    .add(term(weighted, weight4, x4, from4 + i))
                    .add(term(weighted, weight5, x5, from5 + i))
                    .add(term(weighted, weight6, x6, from6 + i))
                    .add(term(weighted, weight7, x7, from7 + i))
                    .intoArray(sums, i);
        }
    }

    private static DoubleVector begin(double[] sums, int i, boolean fresh) {
        return fresh ? DoubleVector.zero(DOUBLES) : DoubleVector.fromArray(DOUBLES, sums, i);
    }

    /** Multiplication by 1 would give the same bits, but takes longer than none. */
    private static DoubleVector term(boolean weighted, double weight, float[] x, int from) {
        DoubleVector wide =
                (DoubleVector)
                        FloatVector.fromArray(HALF, x, from)
                                .convertShape(VectorOperators.F2D, DOUBLES, 0);
        return weighted ? wide.mul(weight) : wide;
    }
}
