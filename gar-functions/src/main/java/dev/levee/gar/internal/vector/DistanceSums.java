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

    /** Sums a tile of pairs over the first {@code whole} coordinates, a multiple of the lanes. */
    static void tile(float[][] x, int[] from, int a, int b, int last, int whole, float[] lanes) {
        int column1 = Math.min(b + 1, last);
        int column2 = Math.min(b + 2, last);
        int column3 = Math.min(b + 3, last);
        for (int lane = 0; lane < LANES; lane += FLOATS.length()) {
            eight(
                    x[a],
                    from[a] + lane,
                    x[a + 1],
                    from[a + 1] + lane,
                    x[b],
                    from[b] + lane,
                    x[column1],
                    from[column1] + lane,
                    x[column2],
                    from[column2] + lane,
                    x[column3],
                    from[column3] + lane,
                    whole,
                    lanes,
                    lane);
        }
    }

    private static void eight(
            float[] a0,
            int aFrom0,
            float[] a1,
            int aFrom1,
            float[] b0,
            int bFrom0,
            float[] b1,
            int bFrom1,
            float[] b2,
            int bFrom2,
            float[] b3,
            int bFrom3,
            int whole,
            float[] lanes,
            int at) {
        FloatVector sum00 = FloatVector.zero(FLOATS);
        FloatVector sum01 = FloatVector.zero(FLOATS);
        FloatVector sum02 = FloatVector.zero(FLOATS);
        FloatVector sum03 = FloatVector.zero(FLOATS);
        FloatVector sum10 = FloatVector.zero(FLOATS);
        FloatVector sum11 = FloatVector.zero(FLOATS);
        FloatVector sum12 = FloatVector.zero(FLOATS);
        FloatVector sum13 = FloatVector.zero(FLOATS);
        for (int i = 0; i < whole; i += LANES) {
            FloatVector x0 = FloatVector.fromArray(FLOATS, a0, aFrom0 + i);
            FloatVector x1 = FloatVector.fromArray(FLOATS, a1, aFrom1 + i);
            FloatVector y0 = FloatVector.fromArray(FLOATS, b0, bFrom0 + i);
            sum00 = sum00.add(square(x0, y0));
            sum10 = sum10.add(square(x1, y0));
            FloatVector y1 = FloatVector.fromArray(FLOATS, b1, bFrom1 + i);
            sum01 = sum01.add(square(x0, y1));
            sum11 = sum11.add(square(x1, y1));
            FloatVector y2 = FloatVector.fromArray(FLOATS, b2, bFrom2 + i);
            sum02 = sum02.add(square(x0, y2));
            sum12 = sum12.add(square(x1, y2));
            FloatVector y3 = FloatVector.fromArray(FLOATS, b3, bFrom3 + i);
            sum03 = sum03.add(square(x0, y3));
            sum13 = sum13.add(square(x1, y3));
        }
        sum00.intoArray(lanes, at);
        sum01.intoArray(lanes, at + LANES);
        sum02.intoArray(lanes, at + 2 * LANES);
        sum03.intoArray(lanes, at + 3 * LANES);
        sum10.intoArray(lanes, at + 4 * LANES);
        sum11.intoArray(lanes, at + 5 * LANES);
        sum12.intoArray(lanes, at + 6 * LANES);
        sum13.intoArray(lanes, at + 7 * LANES);
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

    private static FloatVector square(FloatVector x, FloatVector y) {
        FloatVector difference = x.sub(y);
        return difference.mul(difference);
    }
}
