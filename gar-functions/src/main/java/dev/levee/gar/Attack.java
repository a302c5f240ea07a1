package dev.levee.gar;

import java.io.Serializable;

/**
 * What Byzantine workers send instead of their gradients. The attacker is omniscient: it sees the
 * honest rows of the round. Most attacks work coordinate by coordinate, so they run on each block
 * independently; the others say that they need the {@link #whole} vector. Immutable and
 * deterministic: draws depend on the arguments only.
 */
public interface Attack extends Serializable {
    /** What an attacker has to see before it can send. */
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

    /** What {@link #forge} needs. */
    Sees sees();

    /**
     * True if rows are forged whole: {@link #forge} is then called with all coordinates as block 0,
     * not block by block.
     */
    default boolean whole() {
        return false;
    }

    /** True if all attackers of a round send the same row, so that it need be forged only once. */
    default boolean shared() {
        return false;
    }

    /** True if the attackers never answer; then {@link #forge} is never called. */
    default boolean silent() {
        return false;
    }

    /**
     * True if the attackers compute an honest gradient on data with flipped labels; {@link #forge}
     * is not called.
     */
    default boolean flipsLabels() {
        return false;
    }

    /**
     * True if who reads a row makes a difference to it, so that readers are told different things:
     * the round's seed is then another one for each reader, and honest rows begin with the reader's
     * own where it has one.
     */
    default boolean equivocates() {
        return false;
    }

    /**
     * Checks, before anything starts, that rows can be forged in such rounds.
     *
     * @param round a round as {@link #forge} will be given it
     * @param honest number of honest rows that it will be given if it sees them
     * @throws IllegalArgumentException if not, with a sentence that says what would be right
     */
    default void check(Round round, int honest) {}

    /**
     * Makes one attacker's row of one block.
     *
     * @param attacker worker id of the attacker
     * @param block which block of the vector; coordinate {@code i} here is coordinate {@code block
     *     * Blocks.SIZE + i}
     * @param round number of workers (rows), number of attackers (f), the round's number and the
     *     run's seed
     * @param own the attacker's own gradient, null unless {@link Sees#OWN}
     * @param honest the honest rows of the round ordered by worker, empty unless {@link
     *     Sees#HONEST}; not changed
     * @param length number of coordinates
     * @return a new row
     */
    float[] forge(int attacker, int block, Round round, float[] own, float[][] honest, int length);
}
