package dev.levee.connectors.data.internal;

import dev.levee.connectors.data.Dataset;

/**
 * Pictures held as one byte a value; reading them divides by 255, so features are in [0, 1] and not
 * normalised further.
 */
final class ByteDataset implements Dataset {
    private static final float[] SCALED = new float[256];

    static {
        for (int i = 0; i < 256; i++) {
            SCALED[i] = i / 255f;
        }
    }

    private final byte[][] pixels;
    private final int[] labels;
    private final int[] shape;
    private final int classes;

    /**
     * @param pixels values of each sample in the order of {@code shape}
     */
    ByteDataset(byte[][] pixels, int[] labels, int[] shape, int classes) {
        this.pixels = pixels;
        this.labels = labels;
        this.shape = shape;
        this.classes = classes;
    }

    /** Writes bytes as floats in [0, 1]. */
    static void scale(byte[] from, float[] out, int offset) {
        for (int i = 0; i < from.length; i++) {
            out[offset + i] = SCALED[from[i] & 0xFF];
        }
    }

    @Override
    public int size() {
        return labels.length;
    }

    @Override
    public int[] shape() {
        return shape.clone();
    }

    @Override
    public int classes() {
        return classes;
    }

    @Override
    public int label(int index) {
        return labels[index];
    }

    @Override
    public void read(int index, float[] out, int offset) {
        scale(pixels[index], out, offset);
    }
}
