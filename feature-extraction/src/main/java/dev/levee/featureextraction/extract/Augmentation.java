package dev.levee.featureextraction.extract;

import dev.levee.connectors.data.Picture;

import java.io.IOException;
import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/**
 * A view of stored images: each image is scaled an eighth larger, cropped at random to a square,
 * and mirrored in half of the cases. The result depends only on the seed, the view and the image's
 * stored bytes, so both tiers compute the same, every time.
 *
 * @param seed the user's seed
 * @param view number of the view; 0 for unchanged images
 */
public record Augmentation(long seed, int view) implements Serializable {
    /** The view of unchanged images. */
    public static final Augmentation NONE = new Augmentation(0, 0);

    private static final int MARGIN = 8;

    public Augmentation {
        if (view < 0) {
            throw new IllegalArgumentException("a view must be at least 0, got " + view);
        }
    }

    /**
     * Decodes an image and returns this view of it.
     *
     * @param side width and height of the result in pixels
     * @return red, then green, then blue, each row by row
     * @throws IOException if the image cannot be decoded; a phrase with the reason
     */
    public byte[] decode(byte[] stored, int side) throws IOException {
        if (view == 0) {
            return Picture.decode(stored, side);
        }
        int larger = side + Math.max(1, side / MARGIN);
        byte[] whole = Picture.decode(stored, larger);
        SplittableRandom draw = new SplittableRandom(seed + 31L * view + (hash(stored) << 24));
        int left = draw.nextInt(larger - side + 1);
        int top = draw.nextInt(larger - side + 1);
        boolean mirrored = draw.nextBoolean();
        byte[] square = new byte[3 * side * side];
        for (int row = 0; row < 3 * side; row++) {
            int from = (row / side * larger + top + row % side) * larger + left;
            System.arraycopy(whole, from, square, row * side, side);
            if (mirrored) {
                mirror(square, row * side, side);
            }
        }
        return square;
    }

    private static long hash(byte[] stored) {
        CRC32 sum = new CRC32();
        sum.update(stored);
        return sum.getValue();
    }

    private static void mirror(byte[] square, int at, int side) {
        for (int left = at, right = at + side - 1; left < right; left++, right--) {
            byte pixel = square[left];
            square[left] = square[right];
            square[right] = pixel;
        }
    }
}
