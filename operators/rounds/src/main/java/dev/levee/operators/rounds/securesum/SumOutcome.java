package dev.levee.operators.rounds.securesum;

import java.util.List;

/** The end of a secure sum. */
public sealed interface SumOutcome {
    /**
     * The masks that are left on the sum are known.
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
     * There is no sum, and nothing has become known of the values.
     *
     * @param why one sentence
     */
    record Refused(String why) implements SumOutcome {}

    /**
     * A mask on the sum of rows.
     *
     * @param key the key of its {@link dev.levee.operators.rounds.securesum.crypto.KeyStream}, 32
     *     bytes
     * @param subtracted true if the row has it subtracted, so that it is added to take it off
     */
    record Mask(byte[] key, boolean subtracted) {}
}
