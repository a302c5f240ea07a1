package dev.levee.operators.rounds.training;

import java.io.Serializable;

/**
 * The state of a planner in addition to settings: a few numbers.
 *
 * @param values the numbers; their meaning is the planner's own
 */
public record PlanState(double[] values) implements Serializable {
    /** The state before the first round, and of a planner without state. */
    public static final PlanState NONE = new PlanState(new double[0]);
}
