package dev.levee.gar;

import java.io.Serializable;
import java.util.Arrays;

/**
 * A seeded random sample of coordinates, drawn for each coordinate by its index in the whole
 * vector, so it does not matter how the vector is cut into blocks.
 *
 * @param share probability with which a coordinate is drawn, in (0, 1]; not used if a count is
 *     given
 * @param count how many coordinates to draw on average, 0 if a share is given; all of them if the
 *     vector is not longer
 * @param stream tells samples of one round apart
 */
public record Sample(double share, long count, long stream) implements Serializable {
    /** Domain of the sample's draws, apart from those of rules and attacks. */
    private static final long DOMAIN = 0x53414D504C45L;

    public Sample {
        if (count < 0 || (count == 0 && !(share > 0 && share <= 1))) {
            throw new IllegalArgumentException(
                    "a sample needs a share in (0, 1] or a count above 0, got "
                            + share
                            + " and "
                            + count);
        }
    }

    /** A sample of a share of the coordinates. */
    public static Sample share(double share, long stream) {
        return new Sample(share, 0, stream);
    }

    /** A sample of so many coordinates, on average. */
    public static Sample count(long count, long stream) {
        return new Sample(1, count, stream);
    }

    /**
     * Writes which coordinates of a stretch are in the sample.
     *
     * @param span the stretch's first coordinate and the round
     * @param length number of coordinates of the stretch
     * @param indices receives the drawn ones, counted from the stretch's first, upwards
     * @return how many were drawn
     */
    public int draw(Span span, int length, int[] indices) {
        double chance = count == 0 ? share : Math.min(1, (double) count / span.dimension());
        long key = Draws.key(DOMAIN, span.seed(), span.round(), stream);
        if (chance >= 1) {
            Arrays.setAll(indices, i -> i);
            return length;
        }
        int drawn = 0;
        for (int i = 0; i < length; i++) {
            if (Draws.uniform(key, span.first() + i) < chance) {
                indices[drawn++] = i;
            }
        }
        return drawn;
    }
}
