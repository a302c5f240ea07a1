package dev.levee.gar.internal.vector;

import dev.levee.gar.internal.Rows;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Rows added to sums in double: eight, four or one at a time, so that sums are stored less often. A
 * fresh sum begins at 0, which is not read.
 */
final class RowSums {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /** A register of as many floats as a register holds doubles. */
    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    private RowSums() {}

    /** Adds {@code count} rows from {@code first}. */
    static void add(Rows x, int first, int count, int whole, double[] sums, boolean fresh) {
        int last = first + count;
        boolean empty = fresh;
        int r = first;
        for (; r + 8 <= last; r += 8) {
            eight(x, r, whole, sums, empty);
            empty = false;
        }
        for (; r + 4 <= last; r += 4) {
            four(x, r, whole, sums, empty);
            empty = false;
        }
        for (; r < last; r++) {
            one(x, r, whole, sums, empty);
            empty = false;
        }
    }

    private static void one(Rows x, int first, int whole, double[] sums, boolean fresh) {
        float[] x0 = x.arrays()[first];
        int from = x.starts()[first];
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            begin(sums, i, fresh).add(term(x0, from + i)).intoArray(sums, i);
        }
    }

    private static void four(Rows x, int first, int whole, double[] sums, boolean fresh) {
        float[] x0 = x.arrays()[first];
        float[] x1 = x.arrays()[first + 1];
        float[] x2 = x.arrays()[first + 2];
        float[] x3 = x.arrays()[first + 3];
        int from0 = x.starts()[first];
        int from1 = x.starts()[first + 1];
        int from2 = x.starts()[first + 2];
        int from3 = x.starts()[first + 3];
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            begin(sums, i, fresh)
                    .add(term(x0, from0 + i))
                    .add(term(x1, from1 + i))
                    .add(term(x2, from2 + i))
                    .add(term(x3, from3 + i))
                    .intoArray(sums, i);
        }
    }

    private static void eight(Rows x, int first, int whole, double[] sums, boolean fresh) {
        float[] x0 = x.arrays()[first];
        float[] x1 = x.arrays()[first + 1];
        float[] x2 = x.arrays()[first + 2];
        float[] x3 = x.arrays()[first + 3];
        float[] x4 = x.arrays()[first + 4];
        float[] x5 = x.arrays()[first + 5];
        float[] x6 = x.arrays()[first + 6];
        float[] x7 = x.arrays()[first + 7];
        int from0 = x.starts()[first];
        int from1 = x.starts()[first + 1];
        int from2 = x.starts()[first + 2];
        int from3 = x.starts()[first + 3];
        int from4 = x.starts()[first + 4];
        int from5 = x.starts()[first + 5];
        int from6 = x.starts()[first + 6];
        int from7 = x.starts()[first + 7];
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            begin(sums, i, fresh)
                    .add(term(x0, from0 + i))
                    .add(term(x1, from1 + i))
                    .add(term(x2, from2 + i))
                    .add(term(x3, from3 + i))
                    .add(term(x4, from4 + i))
                    .add(term(x5, from5 + i))
                    .add(term(x6, from6 + i))
                    .add(term(x7, from7 + i))
                    .intoArray(sums, i);
        }
    }

    private static DoubleVector begin(double[] sums, int i, boolean fresh) {
        return fresh ? DoubleVector.zero(DOUBLES) : DoubleVector.fromArray(DOUBLES, sums, i);
    }

    private static DoubleVector term(float[] x, int from) {
        return (DoubleVector)
                FloatVector.fromArray(HALF, x, from).convertShape(VectorOperators.F2D, DOUBLES, 0);
    }
}
