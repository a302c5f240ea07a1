package dev.levee.gar.internal.vector;

import dev.levee.gar.internal.Kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Lane sums of (a − b)² between one row and several: four rows at a time, so that the first row is
 * loaded once for them and their additions overlap. Registers narrower than the sixteen lanes take
 * the lanes in several passes.
 */
final class DistanceSums {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = Kernels.LANES;

    private DistanceSums() {}

    /** Sums the first {@code whole} coordinates, a multiple of the lanes. */
    static void sum(
            float[] a,
            int aFrom,
            float[][] b,
            int[] bFrom,
            int first,
            int count,
            int whole,
            float[] lanes) {
        int last = first + count - 1;
        for (int lane = 0; lane < LANES; lane += FLOATS.length()) {
            for (int r = first; r <= last; r += 4) {
                int at = (r - first) * LANES + lane;
                if (r == last) {
                    one(a, aFrom + lane, b[r], bFrom[r] + lane, whole, lanes, at);
                } else {
                    int s = Math.min(r + 2, last);
                    int t = Math.min(r + 3, last);
                    four(
                            a,
                            aFrom + lane,
                            b[r],
                            bFrom[r] + lane,
                            b[r + 1],
                            bFrom[r + 1] + lane,
                            b[s],
                            bFrom[s] + lane,
                            b[t],
                            bFrom[t] + lane,
                            whole,
                            lanes,
                            at);
                }
            }
        }
    }

    private static void one(
            float[] a, int aFrom, float[] b, int bFrom, int whole, float[] lanes, int at) {
        FloatVector sum = FloatVector.zero(FLOATS);
        for (int i = 0; i < whole; i += LANES) {
            sum = sum.add(square(FloatVector.fromArray(FLOATS, a, aFrom + i), b, bFrom + i));
        }
        sum.intoArray(lanes, at);
    }

    private static void four(
            float[] a,
            int aFrom,
            float[] b0,
            int from0,
            float[] b1,
            int from1,
            float[] b2,
            int from2,
            float[] b3,
            int from3,
            int whole,
            float[] lanes,
            int at) {
        // Four zeros, not one shared: a vector in two variables is not kept in a register.
        FloatVector sum0 = FloatVector.zero(FLOATS);
        FloatVector sum1 = FloatVector.zero(FLOATS);
        FloatVector sum2 = FloatVector.zero(FLOATS);
        FloatVector sum3 = FloatVector.zero(FLOATS);
        for (int i = 0; i < whole; i += LANES) {
            FloatVector x = FloatVector.fromArray(FLOATS, a, aFrom + i);
            sum0 = sum0.add(square(x, b0, from0 + i));
            sum1 = sum1.add(square(x, b1, from1 + i));
            sum2 = sum2.add(square(x, b2, from2 + i));
            sum3 = sum3.add(square(x, b3, from3 + i));
        }
        sum0.intoArray(lanes, at);
        sum1.intoArray(lanes, at + LANES);
        sum2.intoArray(lanes, at + 2 * LANES);
        sum3.intoArray(lanes, at + 3 * LANES);
    }

    private static FloatVector square(FloatVector x, float[] b, int from) {
        FloatVector difference = x.sub(FloatVector.fromArray(FLOATS, b, from));
        return difference.mul(difference);
    }
}
