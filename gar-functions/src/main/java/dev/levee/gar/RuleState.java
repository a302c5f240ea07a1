package dev.levee.gar;

import java.io.Serializable;

/**
 * What a stateful rule carries from round to round besides the previous aggregate: a few numbers,
 * never a row.
 *
 * @param values the numbers; their meaning is the rule's own
 */
public record RuleState(double[] values) implements Serializable {
    /** The state before the first round, and always that of a stateless rule. */
    public static final RuleState NONE = new RuleState(new double[0]);
}
