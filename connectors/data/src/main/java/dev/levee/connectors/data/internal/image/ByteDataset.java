package dev.levee.connectors.data.internal.image;

import dev.levee.connectors.data.LabelledDataset;

import java.util.List;

/** Pictures held as one byte per value; reading them divides by 255, or standardizes them. */
public final class ByteDataset extends LabelledDataset {
    private final byte[][] pixels;
    private final PixelScale scale;

    /**
     * Pictures with features in [0, 1].
     *
     * @param pixels values of each sample in the order of {@code shape}
     * @param names the names of the classes, if any
     */
    public ByteDataset(
            byte[][] pixels, int[] labels, int[] shape, int classes, List<String> names) {
        this(pixels, labels, shape, classes, names, PixelScale.BYTES);
    }

    ByteDataset(
            byte[][] pixels,
            int[] labels,
            int[] shape,
            int classes,
            List<String> names,
            PixelScale scale) {
        super(labels, shape, classes, names);
        this.pixels = pixels;
        this.scale = scale;
    }

    /** Writes bytes as floats in [0, 1]. */
    public static void scale(byte[] from, float[] out, int offset) {
        PixelScale.BYTES.apply(from, out, offset);
    }

    @Override
    public long heapBytes() {
        return pixels.length == 0 ? 0 : rowsOf(pixels.length, pixels[0].length);
    }

    @Override
    public void read(int index, float[] out, int offset) {
        scale.apply(pixels[index], out, offset);
    }
}
