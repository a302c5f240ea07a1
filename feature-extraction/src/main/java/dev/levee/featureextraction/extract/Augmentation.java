package dev.levee.featureextraction.extract;

import dev.levee.connectors.data.Picture;

import java.io.IOException;
import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/**
 * A view of stored images: a square cut out at random of one that is an eighth larger, in half of
 * the cases mirrored. It follows from seed, view and the image's stored bytes alone, so either tier
 * makes the same of an image, as often as it is asked.
 *
 * @param seed the user's seed
 * @param view 0 for images as they are
 */
public record Augmentation(long seed, int view) implements Serializable {
    /** Images as they are. */
    public static final Augmentation NONE = new Augmentation(0, 0);

    private static final int MARGIN = 8;

    public Augmentation {
        if (view < 0) {
            throw new IllegalArgumentException("a view must be at least 0, got " + view);
        }
    }

    /**
     * Decodes an image to this view of it.
     *
     * @param side pixels of its width and height
     * @return red, then green, then blue, each row by row
     * @throws IOException if it cannot be decoded; half a sentence that says why
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
