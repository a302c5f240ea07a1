package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.WorkerCounts;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.RoundReport;

import java.io.Serializable;
import java.util.List;

/**
 * The state with which a coordinator can continue from any version of the model.
 *
 * @param version the model's version, and the round it opens
 * @param ruleState the rule's state at that round
 * @param counts counts per worker so far
 * @param last the round that made the version, as far as it was known when it was decided; null for
 *     the first version
 * @param plan the plan's state at that round, {@link PlanState#NONE} unless it remembers anything
 */
public record CoordinatorMemory(
        long version,
        RuleState ruleState,
        List<WorkerCounts> counts,
        RoundReport last,
        PlanState plan)
        implements Serializable {
    /** A copy of its own. */
    public CoordinatorMemory {
        counts = List.copyOf(counts);
    }

    /** The memory of a run whose plan remembers nothing. */
    public CoordinatorMemory(
            long version, RuleState ruleState, List<WorkerCounts> counts, RoundReport last) {
        this(version, ruleState, counts, last, PlanState.NONE);
    }
}
