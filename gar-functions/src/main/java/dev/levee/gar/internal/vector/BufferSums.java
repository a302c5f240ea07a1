package dev.levee.gar.internal.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Computes sums of rows outside the heap divided by a divisor, like {@link RowSums}. Loads from a
 * buffer take more checks than loads from an array. They are made once for all coordinates of eight
 * rows.
 */
final class BufferSums {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /** A vector of as many floats as a full register has doubles. */
    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    /**
     * Number of coordinates combined at a time. Their sums stay in the first-level cache, and long
     * stretches of memory are read faster than short ones.
     */
    private static final int TOGETHER = 4096;

    private static final ThreadLocal<double[]> SUMS =
            ThreadLocal.withInitial(() -> new double[TOGETHER]);

    private static final ByteOrder NATIVE = ByteOrder.nativeOrder();

    private BufferSums() {}

    /**
     * Writes the sum of at least one row divided by a divisor.
     *
     * @param weights weights of the rows, null to add them unweighted
     * @param from the first coordinate
     * @param whole number of coordinates, a multiple of a register's length
     */
    static void combine(
            double[] weights,
            ByteBuffer[] rows,
            int from,
            int whole,
            double divisor,
            float[] out,
            int to) {
        double[] sums = SUMS.get();
        for (int at = 0; at < whole; at += TOGETHER) {
            int length = Math.min(TOGETHER, whole - at);
            int r = 0;
            for (; r + 8 <= rows.length; r += 8) {
                eight(weights, rows, r, from + at, length, sums);
            }
            for (; r + 4 <= rows.length; r += 4) {
                four(weights, rows, r, from + at, length, sums);
            }
            for (; r < rows.length; r++) {
                one(weights, rows, r, from + at, length, sums);
            }
            Quotient.write(sums, divisor, length, out, to + at);
        }
    }

    private static void one(
            double[] weights, ByteBuffer[] rows, int first, int from, int length, double[] sums) {
        boolean weighted = weights != null;
        double weight = weighted ? weights[first] : 1;
        ByteBuffer x0 = rows[first];
        for (int i = 0; i < length; i += DOUBLES.length()) {
            int at = (from + i) * Float.BYTES;
            begin(sums, i, first).add(term(weighted, weight, x0, at)).intoArray(sums, i);
        }
    }

    private static void four(
            double[] weights, ByteBuffer[] rows, int first, int from, int length, double[] sums) {
        boolean weighted = weights != null;
        double weight0 = weighted ? weights[first] : 1;
        double weight1 = weighted ? weights[first + 1] : 1;
        double weight2 = weighted ? weights[first + 2] : 1;
        double weight3 = weighted ? weights[first + 3] : 1;
        ByteBuffer x0 = rows[first];
        ByteBuffer x1 = rows[first + 1];
        ByteBuffer x2 = rows[first + 2];
        ByteBuffer x3 = rows[first + 3];
        for (int i = 0; i < length; i += DOUBLES.length()) {
            int at = (from + i) * Float.BYTES;
            begin(sums, i, first)
                    .add(term(weighted, weight0, x0, at))
                    .add(term(weighted, weight1, x1, at))
                    .add(term(weighted, weight2, x2, at))
                    .add(term(weighted, weight3, x3, at))
                    .intoArray(sums, i);
        }
    }

    private static void eight(
            double[] weights, ByteBuffer[] rows, int first, int from, int length, double[] sums) {
        boolean weighted = weights != null;
        double weight0 = weighted ? weights[first] : 1;
        double weight1 = weighted ? weights[first + 1] : 1;
        double weight2 = weighted ? weights[first + 2] : 1;
        double weight3 = weighted ? weights[first + 3] : 1;
        double weight4 = weighted ? weights[first + 4] : 1;
        double weight5 = weighted ? weights[first + 5] : 1;
        double weight6 = weighted ? weights[first + 6] : 1;
        double weight7 = weighted ? weights[first + 7] : 1;
        ByteBuffer x0 = rows[first];
        ByteBuffer x1 = rows[first + 1];
        ByteBuffer x2 = rows[first + 2];
        ByteBuffer x3 = rows[first + 3];
        ByteBuffer x4 = rows[first + 4];
        ByteBuffer x5 = rows[first + 5];
        ByteBuffer x6 = rows[first + 6];
        ByteBuffer x7 = rows[first + 7];
        for (int i = 0; i < length; i += DOUBLES.length()) {
            int at = (from + i) * Float.BYTES;
            begin(sums, i, first)
                    .add(term(weighted, weight0, x0, at))
                    .add(term(weighted, weight1, x1, at))
                    .add(term(weighted, weight2, x2, at))
                    .add(term(weighted, weight3, x3, at))
                    .add(term(weighted, weight4, x4, at))
                    .add(term(weighted, weight5, x5, at))
                    .add(term(weighted, weight6, x6, at))
                    .add(term(weighted, weight7, x7, at))
                    .intoArray(sums, i);
        }
    }

    /** The sum of the rows before {@code row}; 0 before the first row. */
    private static DoubleVector begin(double[] sums, int i, int row) {
        return row == 0 ? DoubleVector.zero(DOUBLES) : DoubleVector.fromArray(DOUBLES, sums, i);
    }

    private static DoubleVector term(boolean weighted, double weight, ByteBuffer x, int at) {
        DoubleVector wide =
                (DoubleVector)
                        FloatVector.fromByteBuffer(HALF, x, at, NATIVE)
                                .convertShape(VectorOperators.F2D, DOUBLES, 0);
        return weighted ? wide.mul(weight) : wide;
    }
}
