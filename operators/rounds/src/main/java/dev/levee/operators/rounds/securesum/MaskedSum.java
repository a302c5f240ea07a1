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
        this(new int[length]);
    }

    private MaskedSum(int[] sums) {
        this.sums = sums;
    }

    /** A sum that continues from its {@link #values}, which it takes over. */
    public static MaskedSum of(int[] values) {
        return new MaskedSum(values);
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

    /**
     * Adds a row whose integers lie in the bits of floats.
     *
     * @param from where in the array the row begins
     */
    public void add(float[] bits, int from) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += Float.floatToRawIntBits(bits[from + i]);
        }
    }

    /** Takes masks off. */
    public void remove(Iterable<SumOutcome.Mask> masks) {
        remove(masks, 0);
    }

    /**
     * Takes masks off a part of a longer sum.
     *
     * @param offset where in the whole the part begins
     */
    public void remove(Iterable<SumOutcome.Mask> masks, int offset) {
        for (SumOutcome.Mask mask : masks) {
            new KeyStream(mask.key(), offset).addTo(sums, !mask.subtracted());
        }
    }

    /** The sum so far, modulo 2³². */
    public int[] values() {
        return sums.clone();
    }
}
