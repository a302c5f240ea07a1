package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.RoundReport;

import java.io.Serializable;
import java.util.List;

/**
 * The state with which a coordinator can continue from any version of the model.
 *
 * @param version the model's version, which is also the round that it opens
 * @param ruleState the rule's state at that round
 * @param counts counts per worker so far
 * @param last the report of the round that made the version, as known at its decision; null for the
 *     first version
 * @param plan the plan's state at that round, {@link PlanState#NONE} if it has none
 */
public record CoordinatorMemory(
        long version,
        RuleState ruleState,
        List<WorkerCounts> counts,
        RoundReport last,
        PlanState plan)
        implements Serializable {
    /** Copies the list. */
    public CoordinatorMemory {
        counts = List.copyOf(counts);
    }

    /** The memory of a run whose plan has no state. */
    public CoordinatorMemory(
            long version, RuleState ruleState, List<WorkerCounts> counts, RoundReport last) {
        this(version, ruleState, counts, last, PlanState.NONE);
    }
}
