package dev.levee.operators.rounds;

import dev.levee.gar.Attack;

import java.io.Serializable;

/**
 * The workers that really attack, for experiments.
 *
 * @param attack what they send, null if nobody attacks
 * @param count how many of the permanent workers they are, the last ids of those
 */
public record Attackers(Attack attack, int count) implements Serializable {
    /** Nobody attacks. */
    public static final Attackers NONE = new Attackers(null, 0);

    /**
     * Checks the count.
     *
     * @throws IllegalArgumentException if it is negative; one sentence
     */
    public Attackers {
        if (count < 0) {
            throw new IllegalArgumentException("attackers must not be negative, got " + count);
        }
    }
}
