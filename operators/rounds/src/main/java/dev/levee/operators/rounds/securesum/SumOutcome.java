package dev.levee.operators.rounds.securesum;

import java.util.List;

/** The outcome of a secure sum. */
public sealed interface SumOutcome {
    /**
     * The sum succeeded: the masks that remain on it are known.
     *
     * @param stayed devices in the sum, in ascending order
     * @param masks the masks to remove from the sum of their rows
     */
    record Unmasked(List<Integer> stayed, List<Mask> masks) implements SumOutcome {
        public Unmasked {
            stayed = List.copyOf(stayed);
            masks = List.copyOf(masks);
        }
    }

    /**
     * The sum was refused, and nothing about the values was revealed.
     *
     * @param why one sentence
     */
    record Refused(String why) implements SumOutcome {}

    /**
     * A mask on the sum of rows.
     *
     * @param key the key of its {@link dev.levee.operators.rounds.securesum.crypto.KeyStream}, 32
     *     bytes
     * @param subtracted true if the mask was subtracted from the row, so removing it means adding
     *     it
     */
    record Mask(byte[] key, boolean subtracted) {}
}
