package dev.levee.featureextraction.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.Picture;

import org.junit.jupiter.api.Test;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import javax.imageio.ImageIO;

class AugmentationTest {
    private static final int SIDE = 16;
    private static final int LARGER = 18;

    /** A picture of noise, in which no window is like another. */
    private static byte[] noise(long seed) throws IOException {
        Random random = new Random(seed);
        BufferedImage image = new BufferedImage(LARGER, LARGER, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < LARGER; y++) {
            for (int x = 0; x < LARGER; x++) {
                image.setRGB(x, y, random.nextInt(1 << 24));
            }
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(image, "png", out);
        return out.toByteArray();
    }

    private static byte[] window(byte[] whole, int left, int top, boolean mirrored) {
        byte[] square = new byte[3 * SIDE * SIDE];
        for (int channel = 0; channel < 3; channel++) {
            for (int y = 0; y < SIDE; y++) {
                for (int x = 0; x < SIDE; x++) {
                    int from = left + (mirrored ? SIDE - 1 - x : x);
                    square[(channel * SIDE + y) * SIDE + x] =
                            whole[(channel * LARGER + top + y) * LARGER + from];
                }
            }
        }
        return square;
    }

    /** Which windows a view is, as words. */
    private static Set<String> windows(byte[] stored, byte[] view) throws IOException {
        byte[] whole = Picture.decode(stored, LARGER);
        Set<String> found = new HashSet<>();
        for (int left = 0; left <= LARGER - SIDE; left++) {
            for (int top = 0; top <= LARGER - SIDE; top++) {
                for (boolean mirrored : new boolean[] {false, true}) {
                    if (Arrays.equals(view, window(whole, left, top, mirrored))) {
                        found.add(left + " " + top + " " + mirrored);
                    }
                }
            }
        }
        return found;
    }

    @Test
    void aViewIsAWindowOfALargerImageAndAllOfThemOccur() throws IOException {
        Set<String> seen = new HashSet<>();
        for (int image = 0; image < 30; image++) {
            byte[] stored = noise(image);
            for (int view = 1; view <= 10; view++) {
                Set<String> found = windows(stored, new Augmentation(7, view).decode(stored, SIDE));
                assertThat(found).hasSize(1);
                seen.addAll(found);
            }
        }
        assertThat(seen).hasSize(3 * 3 * 2);
    }

    @Test
    void itFollowsFromSeedViewAndImage() throws IOException {
        byte[] stored = noise(1);
        byte[] first = new Augmentation(1, 1).decode(stored, SIDE);
        assertThat(new Augmentation(1, 1).decode(stored.clone(), SIDE)).isEqualTo(first);
        Set<Integer> others = new HashSet<>();
        for (int i = 1; i <= 10; i++) {
            others.add(Arrays.hashCode(new Augmentation(1, i).decode(stored, SIDE)));
            others.add(Arrays.hashCode(new Augmentation(i, 1).decode(stored, SIDE)));
        }
        assertThat(others).hasSizeGreaterThan(5);
    }

    @Test
    void viewNoughtIsTheImageItself() throws IOException {
        byte[] stored = noise(2);
        assertThat(new Augmentation(9, 0).decode(stored, SIDE))
                .isEqualTo(Picture.decode(stored, SIDE));
        assertThatThrownBy(() -> new Augmentation(9, -1))
                .hasMessage("a view must be at least 0, got -1");
    }
}
