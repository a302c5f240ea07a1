package dev.levee.gar.internal.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Rows added to sums in double, eight, four or one at a time, so that sums are stored less often. A
 * fresh sum begins at 0, which is not read.
 */
final class PlainSums {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    private static final VectorShape HALF = VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2);

    /** As many floats as a register holds doubles. */
    private static final VectorSpecies<Float> FLOATS = VectorSpecies.of(float.class, HALF);

    private PlainSums() {}

    static void rows(
            float[][] x,
            int[] from,
            int first,
            int count,
            int whole,
            double[] sums,
            boolean fresh) {
        int last = first + count;
        boolean empty = fresh;
        int r = first;
        for (; r + 8 <= last; r += 8) {
            eightRows(x, from, r, whole, sums, empty);
            empty = false;
        }
        for (; r + 4 <= last; r += 4) {
            fourRows(x, from, r, whole, sums, empty);
            empty = false;
        }
        for (; r < last; r++) {
            oneRow(x[r], from[r], whole, sums, empty);
            empty = false;
        }
    }

    private static DoubleVector begin(double[] sums, int i, boolean fresh) {
        return fresh ? DoubleVector.zero(DOUBLES) : DoubleVector.fromArray(DOUBLES, sums, i);
    }

    private static DoubleVector wide(float[] x, int from) {
        return (DoubleVector)
                FloatVector.fromArray(FLOATS, x, from)
                        .convertShape(VectorOperators.F2D, DOUBLES, 0);
    }

    private static void oneRow(float[] x, int from, int whole, double[] sums, boolean fresh) {
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            begin(sums, i, fresh).add(wide(x, from + i)).intoArray(sums, i);
        }
    }

    private static void fourRows(
            float[][] x, int[] from, int first, int whole, double[] sums, boolean fresh) {
        float[] x0 = x[first];
        float[] x1 = x[first + 1];
        float[] x2 = x[first + 2];
        float[] x3 = x[first + 3];
        int from0 = from[first];
        int from1 = from[first + 1];
        int from2 = from[first + 2];
        int from3 = from[first + 3];
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            begin(sums, i, fresh)
                    .add(wide(x0, from0 + i))
                    .add(wide(x1, from1 + i))
                    .add(wide(x2, from2 + i))
                    .add(wide(x3, from3 + i))
                    .intoArray(sums, i);
        }
    }

    private static void eightRows(
            float[][] x, int[] from, int first, int whole, double[] sums, boolean fresh) {
        float[] x0 = x[first];
        float[] x1 = x[first + 1];
        float[] x2 = x[first + 2];
        float[] x3 = x[first + 3];
        float[] x4 = x[first + 4];
        float[] x5 = x[first + 5];
        float[] x6 = x[first + 6];
        float[] x7 = x[first + 7];
        int from0 = from[first];
        int from1 = from[first + 1];
        int from2 = from[first + 2];
        int from3 = from[first + 3];
        int from4 = from[first + 4];
        int from5 = from[first + 5];
        int from6 = from[first + 6];
        int from7 = from[first + 7];
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            begin(sums, i, fresh)
                    .add(wide(x0, from0 + i))
                    .add(wide(x1, from1 + i))
                    .add(wide(x2, from2 + i))
                    .add(wide(x3, from3 + i))
                    .add(wide(x4, from4 + i))
                    .add(wide(x5, from5 + i))
                    .add(wide(x6, from6 + i))
                    .add(wide(x7, from7 + i))
                    .intoArray(sums, i);
        }
    }
}
