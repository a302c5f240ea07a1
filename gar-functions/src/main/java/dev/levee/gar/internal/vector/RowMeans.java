package dev.levee.gar.internal.vector;

import dev.levee.gar.internal.Rows;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes sums of rows divided by a divisor. It sums four registers of coordinates over all rows,
 * then divides and writes them, so that sums are neither stored nor read again.
 */
final class RowMeans {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /** A vector of as many floats as a full register has doubles. */
    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final int L = DOUBLES.length();

    private RowMeans() {}

    /**
     * Sums unweighted rows. {@code whole} is the number of coordinates, a multiple of a register's
     * length.
     */
    static void sum(Rows x, int count, int whole, double divisor, float[] out, int to) {
        double below = Quotient.below(divisor);
        double above = Quotient.above(divisor);
        float[][] rows = x.arrays();
        int[] starts = x.starts();
        int i = 0;
        for (; i + 4 * L <= whole; i += 4 * L) {
            DoubleVector sum0 = DoubleVector.zero(DOUBLES);
            DoubleVector sum1 = DoubleVector.zero(DOUBLES);
            DoubleVector sum2 = DoubleVector.zero(DOUBLES);
            DoubleVector sum3 = DoubleVector.zero(DOUBLES);
            for (int r = 0; r < count; r++) {
                float[] row = rows[r];
                int at = starts[r] + i;
                sum0 = sum0.add(wide(row, at));
                sum1 = sum1.add(wide(row, at + L));
                sum2 = sum2.add(wide(row, at + 2 * L));
                sum3 = sum3.add(wide(row, at + 3 * L));
            }
            int at = to + i;
            Quotient.write(sum0, divisor, below, above, out, at);
            Quotient.write(sum1, divisor, below, above, out, at + L);
            Quotient.write(sum2, divisor, below, above, out, at + 2 * L);
            Quotient.write(sum3, divisor, below, above, out, at + 3 * L);
        }
        for (; i < whole; i += L) {
            DoubleVector sum = DoubleVector.zero(DOUBLES);
            for (int r = 0; r < count; r++) {
                sum = sum.add(wide(rows[r], starts[r] + i));
            }
            Quotient.write(sum, divisor, below, above, out, to + i);
        }
    }

    /**
     * Means of sorted keys. {@code whole} is the number of columns, a multiple of a register's
     * length.
     */
    static void ofRanks(int[][] keys, int low, int high, int whole, float[] out, int to) {
        double count = high - low + 1;
        double below = Quotient.below(count);
        double above = Quotient.above(count);
        for (int i = 0; i < whole; i += 2 * L) {
            DoubleVector lower = DoubleVector.zero(DOUBLES);
            DoubleVector upper = DoubleVector.zero(DOUBLES);
            for (int r = low; r <= high; r++) {
                FloatVector values =
                        VectorOps.flip(IntVector.fromArray(INTS, keys[r], i)).reinterpretAsFloats();
                lower = lower.add(values.convertShape(VectorOperators.F2D, DOUBLES, 0));
                upper = upper.add(values.convertShape(VectorOperators.F2D, DOUBLES, 1));
            }
            Quotient.write(lower, count, below, above, out, to + i);
            Quotient.write(upper, count, below, above, out, to + i + L);
        }
    }

    private static DoubleVector wide(float[] x, int at) {
        return (DoubleVector)
                FloatVector.fromArray(HALF, x, at).convertShape(VectorOperators.F2D, DOUBLES, 0);
    }
}
