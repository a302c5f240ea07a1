package dev.levee.operators.rounds.training;

import java.io.Serializable;

/**
 * The state of a planner besides settings: a few numbers.
 *
 * @param values the numbers; their meaning is the planner's own
 */
public record PlanState(double[] values) implements Serializable {
    /** The state before the first round, and always that of a planner that needs none. */
    public static final PlanState NONE = new PlanState(new double[0]);
}
