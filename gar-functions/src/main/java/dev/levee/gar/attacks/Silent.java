package dev.levee.gar.attacks;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;

/**
 * The attackers never answer, or leave in the middle of a secure sum.
 *
 * @param after steps of a secure sum that they take before they leave, 0 to 3
 */
public record Silent(int after) implements Attack {
    private static final int LAST = 3;

    /**
     * Checks the number of steps.
     *
     * @throws IllegalArgumentException if it is out of range; one sentence
     */
    public Silent {
        if (after < 0 || after > LAST) {
            throw new IllegalArgumentException(
                    "silent: after must be 0 to %d, the steps of a secure sum before its last, got %d"
                            .formatted(LAST, after));
        }
    }

    @Override
    public String name() {
        return after == 0 ? "silent" : "silent(after=%d)".formatted(after);
    }

    @Override
    public int sumSteps() {
        return after;
    }

    @Override
    public Sees sees() {
        return Sees.NOTHING;
    }

    @Override
    public boolean silent() {
        return true;
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        throw new IllegalStateException("silent attackers send nothing");
    }
}
