package dev.levee.jobs.internal.report.markup;

import java.util.Arrays;

/** Arranges images in a grid. */
public final class ImageGrid {
    private static final int GAP = 2;
    private static final float WHITE = 1;

    private ImageGrid() {}

    /**
     * Returns a PNG of images in rows.
     *
     * @param images the images one after another; pixels from 0, black, to 1, white
     * @param count number of images
     * @param shape shape of an image: 1 or 3 channels, height, width
     * @param columns images in a row
     */
    public static byte[] png(float[] images, int count, int[] shape, int columns) {
        int channels = shape[0];
        int high = shape[1] + GAP;
        int wide = shape[2] + GAP;
        int height = -Math.floorDiv(-count, columns) * high + GAP;
        int width = Math.min(count, columns) * wide + GAP;
        float[] grid = new float[Math.multiplyExact(channels, Math.multiplyExact(height, width))];
        Arrays.fill(grid, WHITE);
        for (int image = 0; image < count; image++) {
            int top = image / columns * high + GAP;
            int left = image % columns * wide + GAP;
            for (int row = 0; row < channels * shape[1]; row++) {
                int channel = row / shape[1];
                int y = top + row % shape[1];
                System.arraycopy(
                        images,
                        (image * channels * shape[1] + row) * shape[2],
                        grid,
                        (channel * height + y) * width + left,
                        shape[2]);
            }
        }
        return Png.encode(grid, new int[] {channels, height, width}, 0, WHITE);
    }
}
