package dev.levee.gar;

import java.io.Serializable;
import java.util.Arrays;

/**
 * A seeded random sample of coordinates, drawn for each coordinate by its index in the whole
 * vector, so it does not matter how the vector is cut into blocks.
 *
 * @param share of the coordinates to draw on average, in (0, 1], unless that is too few or too many
 * @param least how many to draw on average at least, all if the vector has no more
 * @param most how many to draw on average at most, from 1 and not below the least
 * @param stream tells samples of one round apart
 */
public record Sample(double share, long least, long most, long stream) implements Serializable {
    /** Domain of the sample's draws, apart from those of rules and attacks. */
    private static final long DOMAIN = 0x53414D504C45L;

    public Sample {
        if (!(share > 0 && share <= 1) || least < 0 || most < Math.max(1, least)) {
            throw new IllegalArgumentException(
                    "a sample needs a share in (0, 1] and a count above 0, got "
                            + share
                            + ", at least "
                            + least
                            + ", at most "
                            + most);
        }
    }

    /** A sample of a share of the coordinates. */
    public static Sample share(double share, long stream) {
        return new Sample(share, 0, Long.MAX_VALUE, stream);
    }

    /** A sample of so many coordinates, on average; all if the vector has no more. */
    public static Sample count(long count, long stream) {
        return new Sample(1, 0, count, stream);
    }

    /**
     * Writes which of some consecutive coordinates are in the sample.
     *
     * @param span where the first of them lies, and the round
     * @param length how many they are
     * @param indices receives the drawn ones, counted from the first, upwards
     * @return how many were drawn
     */
    public int draw(Span span, int length, int[] indices) {
        double chance = chance(span.dimension());
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

    private double chance(long dimension) {
        double wanted = share * dimension;
        if (wanted < least) {
            return Math.min(1, (double) least / dimension);
        }
        return wanted > most ? (double) most / dimension : share;
    }
}
