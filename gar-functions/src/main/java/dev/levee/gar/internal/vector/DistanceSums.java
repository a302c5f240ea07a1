package dev.levee.gar.internal.vector;

import dev.levee.gar.internal.Kernels;
import dev.levee.gar.internal.Rows;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes lane sums of (a − b)² between one row and several others. It processes four of them at a
 * time, so that the first row is loaded once and additions overlap. Registers with fewer than
 * sixteen lanes take several passes.
 *
 * <p>{@link ProductSums} is a separate class for performance (JDK 17, 512-bit registers): a shared
 * class with a flag is 5 % slower per tile. If only the inner loop is separate, vectors are boxed
 * and a tile takes 17 times as long.
 */
final class DistanceSums {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = Kernels.LANES;

    private DistanceSums() {}

    /** Sums the first {@code whole} coordinates, a multiple of the lanes. */
    static void sum(Rows x, int a, int first, int count, int whole, float[] lanes) {
        int last = first + count - 1;
        for (int lane = 0; lane < LANES; lane += FLOATS.length()) {
            for (int r = first; r <= last; r += 4) {
                int at = (r - first) * LANES + lane;
                if (r == last) {
                    one(x, a, r, lane, whole, lanes, at);
                } else {
                    four(x, a, r, last, lane, whole, lanes, at);
                }
            }
        }
    }

    /** Sums a tile of pairs over the first {@code whole} coordinates, a multiple of the lanes. */
    static void tile(Rows x, int a, int b, int whole, float[] lanes) {
        for (int lane = 0; lane < LANES; lane += FLOATS.length()) {
            eight(x, a, b, lane, whole, lanes);
        }
    }

    private static void eight(Rows x, int a, int b, int lane, int whole, float[] lanes) {
        int last = x.arrays().length - 1;
        int c = Math.min(b + 1, last);
        int d = Math.min(b + 2, last);
        int e = Math.min(b + 3, last);
        float[] a0 = x.arrays()[a];
        float[] a1 = x.arrays()[a + 1];
        float[] b0 = x.arrays()[b];
        float[] b1 = x.arrays()[c];
        float[] b2 = x.arrays()[d];
        float[] b3 = x.arrays()[e];
        int aFrom0 = x.starts()[a] + lane;
        int aFrom1 = x.starts()[a + 1] + lane;
        int bFrom0 = x.starts()[b] + lane;
        int bFrom1 = x.starts()[c] + lane;
        int bFrom2 = x.starts()[d] + lane;
        int bFrom3 = x.starts()[e] + lane;
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
            sum00 = VectorOps.exact(sum00).add(square(x0, y0));
            sum10 = VectorOps.exact(sum10).add(square(x1, y0));
            FloatVector y1 = FloatVector.fromArray(FLOATS, b1, bFrom1 + i);
            sum01 = VectorOps.exact(sum01).add(square(x0, y1));
            sum11 = VectorOps.exact(sum11).add(square(x1, y1));
            FloatVector y2 = FloatVector.fromArray(FLOATS, b2, bFrom2 + i);
            sum02 = VectorOps.exact(sum02).add(square(x0, y2));
            sum12 = VectorOps.exact(sum12).add(square(x1, y2));
            FloatVector y3 = FloatVector.fromArray(FLOATS, b3, bFrom3 + i);
            sum03 = VectorOps.exact(sum03).add(square(x0, y3));
            sum13 = VectorOps.exact(sum13).add(square(x1, y3));
        }
        VectorOps.exact(sum00).intoArray(lanes, lane);
        VectorOps.exact(sum01).intoArray(lanes, lane + LANES);
        VectorOps.exact(sum02).intoArray(lanes, lane + 2 * LANES);
        VectorOps.exact(sum03).intoArray(lanes, lane + 3 * LANES);
        VectorOps.exact(sum10).intoArray(lanes, lane + 4 * LANES);
        VectorOps.exact(sum11).intoArray(lanes, lane + 5 * LANES);
        VectorOps.exact(sum12).intoArray(lanes, lane + 6 * LANES);
        VectorOps.exact(sum13).intoArray(lanes, lane + 7 * LANES);
    }

    private static void one(Rows x, int a, int b, int lane, int whole, float[] lanes, int at) {
        float[] a0 = x.arrays()[a];
        float[] b0 = x.arrays()[b];
        int aFrom = x.starts()[a] + lane;
        int bFrom = x.starts()[b] + lane;
        FloatVector sum = FloatVector.zero(FLOATS);
        for (int i = 0; i < whole; i += LANES) {
            FloatVector y = FloatVector.fromArray(FLOATS, b0, bFrom + i);
            sum = VectorOps.exact(sum).add(square(FloatVector.fromArray(FLOATS, a0, aFrom + i), y));
        }
        VectorOps.exact(sum).intoArray(lanes, at);
    }

    /**
     * Sums between row a and the four rows from b on. If rows are missing, the last one is used
     * instead.
     */
    private static void four(
            Rows x, int a, int b, int last, int lane, int whole, float[] lanes, int at) {
        int c = b + 1;
        int d = Math.min(b + 2, last);
        int e = Math.min(b + 3, last);
        float[] a0 = x.arrays()[a];
        float[] b0 = x.arrays()[b];
        float[] b1 = x.arrays()[c];
        float[] b2 = x.arrays()[d];
        float[] b3 = x.arrays()[e];
        int aFrom = x.starts()[a] + lane;
        int from0 = x.starts()[b] + lane;
        int from1 = x.starts()[c] + lane;
        int from2 = x.starts()[d] + lane;
        int from3 = x.starts()[e] + lane;
        // Four separate zeros: a vector shared by two variables is not kept in a register.
        FloatVector sum0 = FloatVector.zero(FLOATS);
        FloatVector sum1 = FloatVector.zero(FLOATS);
        FloatVector sum2 = FloatVector.zero(FLOATS);
        FloatVector sum3 = FloatVector.zero(FLOATS);
        for (int i = 0; i < whole; i += LANES) {
            FloatVector y = FloatVector.fromArray(FLOATS, a0, aFrom + i);
            sum0 =
                    VectorOps.exact(sum0)
                            .add(square(y, FloatVector.fromArray(FLOATS, b0, from0 + i)));
            sum1 =
                    VectorOps.exact(sum1)
                            .add(square(y, FloatVector.fromArray(FLOATS, b1, from1 + i)));
            sum2 =
                    VectorOps.exact(sum2)
                            .add(square(y, FloatVector.fromArray(FLOATS, b2, from2 + i)));
            sum3 =
                    VectorOps.exact(sum3)
                            .add(square(y, FloatVector.fromArray(FLOATS, b3, from3 + i)));
        }
        VectorOps.exact(sum0).intoArray(lanes, at);
        VectorOps.exact(sum1).intoArray(lanes, at + LANES);
        VectorOps.exact(sum2).intoArray(lanes, at + 2 * LANES);
        VectorOps.exact(sum3).intoArray(lanes, at + 3 * LANES);
    }

    private static FloatVector square(FloatVector x, FloatVector y) {
        FloatVector difference = x.sub(y);
        return difference.mul(difference);
    }
}
