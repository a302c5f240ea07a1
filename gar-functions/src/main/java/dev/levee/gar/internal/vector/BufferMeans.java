package dev.levee.gar.internal.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Sums of rows outside the heap over a divisor, like {@link RowMeans}. */
final class BufferMeans {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /** A register of as many floats as a register holds doubles. */
    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    private static final ByteOrder NATIVE = ByteOrder.nativeOrder();
    private static final int L = DOUBLES.length();
    private static final int BYTES = L * Float.BYTES;

    /** Coordinates that are added up at a time. */
    static final int STEP = 4 * L;

    private BufferMeans() {}

    /** Rows as they are, up to {@code whole} coordinates, a multiple of {@link #STEP}. */
    static void sum(ByteBuffer[] rows, int from, int whole, double divisor, float[] out, int to) {
        double below = Quotient.below(divisor);
        double above = Quotient.above(divisor);
        for (int i = 0; i < whole; i += STEP) {
            DoubleVector sum0 = DoubleVector.zero(DOUBLES);
            DoubleVector sum1 = DoubleVector.zero(DOUBLES);
            DoubleVector sum2 = DoubleVector.zero(DOUBLES);
            DoubleVector sum3 = DoubleVector.zero(DOUBLES);
            int at = (from + i) * Float.BYTES;
            for (int r = 0; r < rows.length; r++) {
                ByteBuffer row = rows[r];
                sum0 = sum0.add(wide(row, at));
                sum1 = sum1.add(wide(row, at + BYTES));
                sum2 = sum2.add(wide(row, at + 2 * BYTES));
                sum3 = sum3.add(wide(row, at + 3 * BYTES));
            }
            Quotient.write(sum0, divisor, below, above, out, to + i);
            Quotient.write(sum1, divisor, below, above, out, to + i + L);
            Quotient.write(sum2, divisor, below, above, out, to + i + 2 * L);
            Quotient.write(sum3, divisor, below, above, out, to + i + 3 * L);
        }
    }

    /** Weighted rows, like {@link #sum}. */
    static void weighted(
            double[] weights,
            ByteBuffer[] rows,
            int from,
            int whole,
            double divisor,
            float[] out,
            int to) {
        double below = Quotient.below(divisor);
        double above = Quotient.above(divisor);
        for (int i = 0; i < whole; i += STEP) {
            DoubleVector sum0 = DoubleVector.zero(DOUBLES);
            DoubleVector sum1 = DoubleVector.zero(DOUBLES);
            DoubleVector sum2 = DoubleVector.zero(DOUBLES);
            DoubleVector sum3 = DoubleVector.zero(DOUBLES);
            int at = (from + i) * Float.BYTES;
            for (int r = 0; r < rows.length; r++) {
                ByteBuffer row = rows[r];
                double weight = weights[r];
                sum0 = sum0.add(wide(row, at).mul(weight));
                sum1 = sum1.add(wide(row, at + BYTES).mul(weight));
                sum2 = sum2.add(wide(row, at + 2 * BYTES).mul(weight));
                sum3 = sum3.add(wide(row, at + 3 * BYTES).mul(weight));
            }
            Quotient.write(sum0, divisor, below, above, out, to + i);
            Quotient.write(sum1, divisor, below, above, out, to + i + L);
            Quotient.write(sum2, divisor, below, above, out, to + i + 2 * L);
            Quotient.write(sum3, divisor, below, above, out, to + i + 3 * L);
        }
    }

    private static DoubleVector wide(ByteBuffer x, int at) {
        return (DoubleVector)
                FloatVector.fromByteBuffer(HALF, x, at, NATIVE)
                        .convertShape(VectorOperators.F2D, DOUBLES, 0);
    }
}
