package dev.levee.connectors.data;

/**
 * Scales a gray picture with a triangle filter, whose width depends on the scale: bilinear when
 * enlarging, a weighted mean of all covered pixels when reducing. It scales horizontally first, in
 * plain float arithmetic.
 */
final class Resampler {
    private Resampler() {}

    /** Scales {@code width × height} values from 0 to 255 to a square of bytes. */
    static void resample(float[] from, int width, int height, int side, byte[] out, int offset) {
        Taps across = new Taps(width, side);
        Taps down = new Taps(height, side);
        float[] narrow = new float[height * side];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < side; x++) {
                narrow[y * side + x] = across.sum(x, from, y * width, 1);
            }
        }
        for (int y = 0; y < side; y++) {
            for (int x = 0; x < side; x++) {
                float value = down.sum(y, narrow, x, side);
                out[offset + y * side + x] =
                        (byte) (int) (Math.max(0, Math.min(255, value)) + 0.5f);
            }
        }
    }

    /** The source pixels that each target pixel averages, and their weights, along one axis. */
    private static final class Taps {
        private final int[] starts;
        private final float[][] weights;

        Taps(int from, int to) {
            starts = new int[to];
            weights = new float[to][];
            double scale = (double) from / to;
            double reach = Math.max(1, scale);
            for (int i = 0; i < to; i++) {
                double centre = (i + 0.5) * scale - 0.5;
                int start = (int) Math.max(0, Math.ceil(centre - reach));
                int end = (int) Math.min(from - 1.0, Math.floor(centre + reach));
                double[] raw = new double[end - start + 1];
                double sum = 0;
                for (int j = start; j <= end; j++) {
                    raw[j - start] = Math.max(0, 1 - Math.abs(j - centre) / reach);
                    sum += raw[j - start];
                }
                starts[i] = start;
                weights[i] = new float[raw.length];
                for (int j = 0; j < raw.length; j++) {
                    weights[i][j] = (float) (raw[j] / sum);
                }
            }
        }

        float sum(int target, float[] values, int offset, int stride) {
            float sum = 0;
            int at = offset + starts[target] * stride;
            for (float weight : weights[target]) {
                sum += weight * values[at];
                at += stride;
            }
            return sum;
        }
    }
}
