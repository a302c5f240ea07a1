package dev.levee.gar.internal.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Weighted rows added to sums in double: eight or four rows at a time, so that sums are stored less
 * often.
 */
final class WeightedSums {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /** As many floats as a register holds doubles. */
    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    private WeightedSums() {}

    static void one(double weight, float[] x, int from, int whole, double[] sums) {
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            DoubleVector sum = DoubleVector.fromArray(DOUBLES, sums, i);
            sum.add(term(weight, x, from + i)).intoArray(sums, i);
        }
    }

    static void four(
            double[] weights, float[][] x, int[] from, int first, int whole, double[] sums) {
        double weight0 = weights[first];
        double weight1 = weights[first + 1];
        double weight2 = weights[first + 2];
        double weight3 = weights[first + 3];
        float[] x0 = x[first];
        float[] x1 = x[first + 1];
        float[] x2 = x[first + 2];
        float[] x3 = x[first + 3];
        int from0 = from[first];
        int from1 = from[first + 1];
        int from2 = from[first + 2];
        int from3 = from[first + 3];
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            DoubleVector.fromArray(DOUBLES, sums, i)
                    .add(term(weight0, x0, from0 + i))
                    .add(term(weight1, x1, from1 + i))
                    .add(term(weight2, x2, from2 + i))
                    .add(term(weight3, x3, from3 + i))
                    .intoArray(sums, i);
        }
    }

    static void eight(
            double[] weights, float[][] x, int[] from, int first, int whole, double[] sums) {
        double weight0 = weights[first];
        double weight1 = weights[first + 1];
        double weight2 = weights[first + 2];
        double weight3 = weights[first + 3];
        double weight4 = weights[first + 4];
        double weight5 = weights[first + 5];
        double weight6 = weights[first + 6];
        double weight7 = weights[first + 7];
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
            DoubleVector.fromArray(DOUBLES, sums, i)
                    .add(term(weight0, x0, from0 + i))
                    .add(term(weight1, x1, from1 + i))
                    .add(term(weight2, x2, from2 + i))
                    .add(term(weight3, x3, from3 + i))
                    .add(term(weight4, x4, from4 + i))
                    .add(term(weight5, x5, from5 + i))
                    .add(term(weight6, x6, from6 + i))
                    .add(term(weight7, x7, from7 + i))
                    .intoArray(sums, i);
        }
    }

    private static DoubleVector term(double weight, float[] x, int from) {
        return ((DoubleVector)
                        FloatVector.fromArray(HALF, x, from)
                                .convertShape(VectorOperators.F2D, DOUBLES, 0))
                .mul(weight);
    }
}
