package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.crypto.KeyStream;

/**
 * The sum of masked rows modulo 2³², which grows row by row: its memory is one row, whatever the
 * number of devices. Not safe for concurrent use.
 */
public final class MaskedSum {
    private final int[] sums;

    /** A sum of no rows. */
    public MaskedSum(int length) {
        sums = new int[length];
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if it has another length
     */
    public void add(int[] row) {
        if (row.length != sums.length) {
            throw new IllegalArgumentException(
                    "a row of %d values for a sum of %d".formatted(row.length, sums.length));
        }
        for (int i = 0; i < sums.length; i++) {
            sums[i] += row[i];
        }
    }

    /** Takes masks off. */
    public void remove(Iterable<SumOutcome.Mask> masks) {
        for (SumOutcome.Mask mask : masks) {
            new KeyStream(mask.key()).addTo(sums, !mask.subtracted());
        }
    }

    /** The sum so far, modulo 2³². */
    public int[] values() {
        return sums.clone();
    }
}
