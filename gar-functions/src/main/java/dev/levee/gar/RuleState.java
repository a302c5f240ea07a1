package dev.levee.gar;

import java.io.Serializable;

/**
 * The numbers that a stateful rule keeps between rounds besides the previous aggregate.
 *
 * @param values the numbers; their meaning is up to the rule
 */
public record RuleState(double[] values) implements Serializable {
    /** The state before the first round. A stateless rule always has this state. */
    public static final RuleState NONE = new RuleState(new double[0]);
}
