package dev.levee.gar;

import dev.levee.gar.block.Blocks;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Makes the rows that Byzantine workers send instead of their gradients. An attacker sees all
 * honest rows of the round. Most attacks work per coordinate and run on each block independently;
 * others need the {@link #whole} vector. Immutable and deterministic: draws depend only on the
 * arguments.
 */
public interface Attack extends Serializable {
    /** What an attacker must see before it sends. */
    enum Sees {
        /** Nothing: the row is made up. */
        NOTHING,
        /** Its own honest gradient. */
        OWN,
        /** The honest rows of the round. */
        HONEST
    }

    /** Name with parameters, in the form that {@link Attacks#parse} reads back. */
    String name();

    /** The rows that {@link #forge} needs. */
    Sees sees();

    /**
     * True if rows are forged as whole vectors. {@link #forge} then gets all coordinates as block
     * 0.
     */
    default boolean whole() {
        return false;
    }

    /** True if all attackers of a round send the same row, so that it is forged only once. */
    default boolean shared() {
        return false;
    }

    /** True if the attackers contribute no rows; {@link #forge} is then never called. */
    default boolean silent() {
        return false;
    }

    /**
     * True if {@link #forge} makes the attackers' rows, so they are neither silent nor flip labels.
     */
    default boolean forges() {
        return !silent() && !flipsLabels();
    }

    /** Number of steps of a secure sum that silent attackers take before they leave the sum. */
    default int sumSteps() {
        return 0;
    }

    /**
     * True if the attackers compute an honest gradient on data with flipped labels; {@link #forge}
     * is not called.
     */
    default boolean flipsLabels() {
        return false;
    }

    /** True if the attackers compute no gradients. */
    default boolean idle() {
        return !flipsLabels() && sees() != Sees.OWN;
    }

    /**
     * True if the row depends on its receiver. The round's seed then differs per receiver, and
     * honest rows start with the receiver's own, if it has one.
     */
    default boolean equivocates() {
        return false;
    }

    /**
     * Checks before a run that the attack can forge rows in rounds like the given one.
     *
     * @param round a round as passed to {@link #forge}
     * @param honest number of honest rows passed to {@link #forge}
     * @throws IllegalArgumentException if not; the message says what would be valid
     */
    default void check(Round round, int honest) {}

    /**
     * Checks before a run, once the model is known, that the attack can forge rows of this length.
     *
     * @param length number of coordinates of the vector
     * @throws IllegalArgumentException if not; the message says what would be valid
     */
    default void checkLength(int length) {}

    /**
     * Forges one attacker's row of one block.
     *
     * @param attacker worker id of the attacker
     * @param block index of the block; with blocks of {@link Blocks#SIZE}, coordinate {@code i}
     *     here is coordinate {@code block * Blocks.SIZE + i} of the vector, and draws depend on it
     * @param round number of workers (rows), number of attackers (f), the round's number and the
     *     run's seed
     * @param own the attacker's own gradient, null unless {@link Sees#OWN}
     * @param honest the honest rows ordered by worker, empty unless {@link Sees#HONEST}; not
     *     changed
     * @param length number of coordinates
     * @return a new row
     */
    float[] forge(int attacker, int block, Round round, float[] own, float[][] honest, int length);

    /**
     * Forges one attacker's row over all coordinates, block by block or {@link #whole}. Passes to
     * {@link #forge} only the vectors that the attack {@link #sees}.
     *
     * @param attacker worker id of the attacker
     * @param round as for {@link #forge}
     * @param own the attacker's own gradient of {@code length} coordinates; used only for {@link
     *     Sees#OWN}
     * @param honest the honest rows of {@code length} coordinates, ordered by worker; used only for
     *     {@link Sees#HONEST}; not changed
     * @param length number of coordinates
     * @param blockSize coordinates per block; draws depend on it where it is not {@link
     *     Blocks#SIZE}
     * @return a new row
     */
    default float[] forgeRow(
            int attacker, Round round, float[] own, float[][] honest, int length, int blockSize) {
        float[] row = new float[length];
        int step = whole() ? length : blockSize;
        for (int block = 0; (long) block * step < length; block++) {
            int from = block * step;
            int size = Math.min(step, length - from);
            float[][] seen = new float[sees() == Sees.HONEST ? honest.length : 0][];
            Arrays.setAll(
                    seen,
                    i ->
                            size == length
                                    ? honest[i]
                                    : Arrays.copyOfRange(honest[i], from, from + size));
            float[] part = sees() == Sees.OWN ? Arrays.copyOfRange(own, from, from + size) : null;
            System.arraycopy(forge(attacker, block, round, part, seen, size), 0, row, from, size);
        }
        return row;
    }
}
