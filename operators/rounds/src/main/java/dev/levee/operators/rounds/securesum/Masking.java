package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.plan.SumRates;

import java.io.Serializable;
import java.util.Optional;

/**
 * The ways in which participants hide their contributions, so that the server learns only the sum.
 */
public sealed interface Masking extends Serializable {
    /** Contributions are sent in the open. */
    record None() implements Masking {}

    /**
     * Contributions are fixed-point integers under masks that cancel only in the sum of a whole
     * round. A round in which one is missing changes nothing.
     */
    record Pairwise() implements Masking {}

    /**
     * Devices may leave a round. The server removes their masks in a dialogue with the others.
     *
     * @param tolerated shares of devices that may leave or collude
     */
    record Recoverable(SumRates tolerated) implements Masking {}

    /** Contributions are sent in the open. */
    Masking NONE = new None();

    /** Masks cancel only in the sum of a whole round. */
    Masking PAIRWISE = new Pairwise();

    /** True if single contributions are hidden. */
    default boolean hides() {
        return !(this instanceof None);
    }

    /** The faults that the dialogue about masks tolerates; empty if there is no dialogue. */
    default Optional<SumRates> rates() {
        return this instanceof Recoverable sum ? Optional.of(sum.tolerated()) : Optional.empty();
    }

    /**
     * True if a round with this number of rows changes the model.
     *
     * @param asked participants of the round
     */
    default boolean changes(int rows, int asked) {
        return this instanceof Recoverable ? rows > 0 : !hides() || rows == asked;
    }
}
