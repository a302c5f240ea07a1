package dev.levee.operators.rounds.topology;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import java.io.Serializable;

/**
 * The number of exchanges of aggregates before nodes step. These exchanges keep nodes with
 * different data close together (thesis, listing 3.3).
 *
 * @param steps number in each iteration, −1 for ⌈log₂(t + 1)⌉ in iteration t
 */
public record Contraction(int steps) implements Serializable {
    /** No contraction. */
    public static final Contraction NONE = new Contraction(0);

    /** ⌈log₂(t + 1)⌉ exchanges in iteration t. */
    public static final Contraction LOGARITHMIC = new Contraction(-1);

    /** Checks the number. */
    public Contraction {
        require(steps >= -1, "{contract} must be at least 0 or log, got %s", steps);
    }

    /** Number of steps in iteration t. */
    int steps(long t) {
        return steps >= 0 ? steps : 64 - Long.numberOfLeadingZeros(t);
    }

    /** Number of steps in all iterations before t. */
    public long before(long t) {
        if (steps >= 0 || t == 0) {
            return Math.max(0, steps) * t;
        }
        // The sum of ⌈log₂ k⌉ over k = 1 to t.
        int log = 64 - Long.numberOfLeadingZeros(t - 1);
        return t * log - (1L << log) + 1;
    }
}
