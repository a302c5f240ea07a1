package dev.levee.gar;

import dev.levee.gar.block.Span;

import java.io.Serializable;
import java.util.Arrays;

/**
 * A seeded random sample of coordinates. Each draw depends on the coordinate's index in the whole
 * vector, so the sample does not depend on how the vector is split.
 *
 * @param share average share of the coordinates, in (0, 1], subject to the bounds {@code least} and
 *     {@code most}
 * @param least minimum average number, or all coordinates if there are fewer
 * @param most maximum average number, at least 1 and {@code least}
 * @param stream distinguishes samples of one round
 */
public record Sample(double share, long least, long most, long stream) implements Serializable {
    /** Separates the sample's draws from those of rules and attacks. */
    private static final long DOMAIN = 0x53414D504C45L;

    public Sample {
        if (!(share > 0 && share <= 1) || least < 0 || most < Math.max(1, least)) {
            throw new IllegalArgumentException(
                    "a sample needs a share in (0, 1] and a count above 0, got %s, at least %s, at most %s"
                            .formatted(share, least, most));
        }
    }

    /** A sample of a share of the coordinates. */
    public static Sample share(double share, long stream) {
        return new Sample(share, 0, Long.MAX_VALUE, stream);
    }

    /** A sample of this average number of coordinates, or all if there are fewer. */
    public static Sample count(long count, long stream) {
        return new Sample(1, 0, count, stream);
    }

    /**
     * Writes which of some consecutive coordinates are in the sample.
     *
     * @param span position of the first coordinate, and the round
     * @param length number of coordinates
     * @param indices receives the sampled indices, relative to the first, ascending
     * @return number of sampled coordinates
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
