package dev.levee.gar.internal.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Chooses and adds windows of sorted values, one per coordinate. Sorted values are stored rank by
 * rank.
 */
final class Windows {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /** A vector of as many floats as a full register has doubles. */
    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    private Windows() {}

    static void chooseStart(
            float[] low,
            float[] high,
            double[] center,
            int rank,
            int whole,
            double[] nearest,
            double[] start) {
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            DoubleVector middle = DoubleVector.fromArray(DOUBLES, center, i);
            DoubleVector before = DoubleVector.fromArray(DOUBLES, nearest, i);
            DoubleVector above = middle.sub(wide(high, i)).abs();
            DoubleVector least = before.blend(above, above.compare(VectorOperators.LT, before));
            DoubleVector below = middle.sub(wide(low, i)).abs();
            VectorMask<Double> here =
                    below.compare(VectorOperators.LE, least)
                            .or(least.compare(VectorOperators.EQ, Double.POSITIVE_INFINITY));
            least.intoArray(nearest, i);
            DoubleVector.fromArray(DOUBLES, start, i).blend(rank, here).intoArray(start, i);
        }
    }

    static void add(float[] x, double[] start, int rank, int keep, int whole, double[] sums) {
        DoubleVector zero = DoubleVector.zero(DOUBLES);
        for (int i = 0; i < whole; i += DOUBLES.length()) {
            DoubleVector first = DoubleVector.fromArray(DOUBLES, start, i);
            VectorMask<Double> inside =
                    first.compare(VectorOperators.LE, rank)
                            .and(first.compare(VectorOperators.GT, rank - keep));
            DoubleVector.fromArray(DOUBLES, sums, i)
                    .add(zero.blend(wide(x, i), inside))
                    .intoArray(sums, i);
        }
    }

    private static DoubleVector wide(float[] x, int from) {
        return (DoubleVector)
                FloatVector.fromArray(HALF, x, from).convertShape(VectorOperators.F2D, DOUBLES, 0);
    }
}
