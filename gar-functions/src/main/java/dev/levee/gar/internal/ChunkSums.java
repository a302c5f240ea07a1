package dev.levee.gar.internal;

/**
 * Sums over one chunk: squared distances from differences, inner products from products. The lanes
 * of the chunk are added in double in a fixed tree. Where float arithmetic overflowed, or came so
 * close to its smallest numbers that squares lost digits, the chunk is summed again in double,
 * where neither can happen. Holds scratch memory: one per call, not shared between threads.
 */
final class ChunkSums {
    /**
     * Below this, products that underflowed may be missing from a sum: each loses at most 2⁻¹⁵⁰, so
     * a chunk of 2¹² of them at most 2⁻¹³⁸, which is below half a float's last digit from 2⁻¹¹⁴ on.
     */
    private static final double TINY = 0x1p-110;

    private final Kernels kernels;
    private final float[] lanes = new float[Kernels.LANES];

    ChunkSums(Kernels kernels) {
        this.kernels = kernels;
    }

    double squaredDistance(float[] a, int aFrom, float[] b, int bFrom, int length) {
        kernels.distance(a, aFrom, b, bFrom, length, lanes);
        double sum = tree(lanes);
        return exact(sum) ? sum : distanceInDouble(a, aFrom, b, bFrom, length);
    }

    double innerProduct(float[] a, int aFrom, float[] b, int bFrom, int length) {
        kernels.product(a, aFrom, b, bFrom, length, lanes);
        double sum = tree(lanes);
        return exact(sum) ? sum : productInDouble(a, aFrom, b, bFrom, length);
    }

    private static boolean exact(double sum) {
        double size = Math.abs(sum);
        return size >= TINY && size <= Double.MAX_VALUE;
    }

    private static double tree(float[] lanes) {
        double a = quarter(lanes, 0);
        double b = quarter(lanes, 1);
        double c = quarter(lanes, 2);
        double d = quarter(lanes, 3);
        return (a + c) + (b + d);
    }

    private static double quarter(float[] lanes, int i) {
        return ((double) lanes[i] + lanes[i + 8]) + ((double) lanes[i + 4] + lanes[i + 12]);
    }

    private static double distanceInDouble(float[] a, int aFrom, float[] b, int bFrom, int length) {
        double sum = 0;
        for (int i = 0; i < length; i++) {
            double difference = (double) a[aFrom + i] - b[bFrom + i];
            sum += difference * difference;
        }
        return sum;
    }

    private static double productInDouble(float[] a, int aFrom, float[] b, int bFrom, int length) {
        double sum = 0;
        for (int i = 0; i < length; i++) {
            sum += (double) a[aFrom + i] * b[bFrom + i];
        }
        return sum;
    }
}
