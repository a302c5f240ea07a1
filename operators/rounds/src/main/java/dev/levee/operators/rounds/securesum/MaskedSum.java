package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.crypto.KeyStream;

/**
 * Adds up masked rows modulo 2³². It needs the memory of one row for any number of devices. Not
 * safe for concurrent use.
 */
public final class MaskedSum {
    private final int[] sums;

    /** Creates a sum without rows. */
    public MaskedSum(int length) {
        this(new int[length]);
    }

    private MaskedSum(int[] sums) {
        this.sums = sums;
    }

    /** Creates a sum that continues from {@link #values}, and takes over the array. */
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
     * Adds a row whose integers are stored in the bits of floats.
     *
     * @param from where in the array the row begins
     */
    public void add(float[] bits, int from) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += Float.floatToRawIntBits(bits[from + i]);
        }
    }

    /** Removes masks. */
    public void remove(Iterable<SumOutcome.Mask> masks) {
        remove(masks, 0);
    }

    /**
     * Removes masks from a part of a longer sum.
     *
     * @param offset the start of the part in the whole sum
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
