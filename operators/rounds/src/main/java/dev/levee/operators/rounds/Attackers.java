package dev.levee.operators.rounds;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.Attack;
import dev.levee.operators.rounds.fault.WrongTrainingException;

import java.io.Serializable;
import java.util.function.Predicate;

/**
 * The workers that attack in an experiment.
 *
 * @param attack the attack, null if there is no attack
 * @param count number of attackers; they are the permanent workers with the highest ids
 */
public record Attackers(Attack attack, int count) implements Serializable {
    /** No attackers. */
    public static final Attackers NONE = new Attackers(null, 0);

    /**
     * Checks the count, which is 0 without an attack.
     *
     * @throws WrongTrainingException if it is negative; one sentence
     */
    public Attackers {
        require(count >= 0, "{attackers} must not be negative, got %s", count);
        count = attack == null ? 0 : count;
    }

    /** True if there is an attack and it satisfies the condition. */
    public boolean are(Predicate<Attack> kind) {
        return attack != null && kind.test(attack);
    }

    /** The attack's name, empty if there is none. */
    public String name() {
        return attack == null ? "" : attack.name();
    }
}
