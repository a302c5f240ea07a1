package dev.levee.connectors.data.internal.image;

import dev.levee.connectors.data.LabelledDataset;

import java.util.List;

/**
 * Pictures held as one byte a value; reading them divides by 255, so features are in [0, 1] and not
 * normalized further.
 */
public final class ByteDataset extends LabelledDataset {
    private static final float[] SCALED = new float[256];

    static {
        for (int i = 0; i < 256; i++) {
            SCALED[i] = i / 255f;
        }
    }

    private final byte[][] pixels;

    /**
     * @param pixels values of each sample in the order of {@code shape}
     * @param names of the classes, if any
     */
    public ByteDataset(
            byte[][] pixels, int[] labels, int[] shape, int classes, List<String> names) {
        super(labels, shape, classes, names);
        this.pixels = pixels;
    }

    /** Writes bytes as floats in [0, 1]. */
    public static void scale(byte[] from, float[] out, int offset) {
        for (int i = 0; i < from.length; i++) {
            out[offset + i] = SCALED[from[i] & 0xFF];
        }
    }

    @Override
    public void read(int index, float[] out, int offset) {
        scale(pixels[index], out, offset);
    }
}
