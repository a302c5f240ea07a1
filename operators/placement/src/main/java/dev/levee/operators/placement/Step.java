package dev.levee.operators.placement;

import dev.levee.operators.placement.graph.Cluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.CriticalPath;
import dev.levee.operators.placement.schedule.Schedule;
import dev.levee.operators.placement.schedule.Usage;

import java.util.List;

/**
 * A predicted step and its analysis.
 *
 * @param graph the graph that runs: the placed graph, or its copies for micro-batches
 * @param schedule the schedule of the step
 * @param usage the usage of each device
 * @param critical the critical path
 */
public record Step(
        OperatorGraph graph, Schedule schedule, List<Usage> usage, CriticalPath critical) {
    public Step {
        usage = List.copyOf(usage);
    }

    /** Analyzes a schedule. */
    static Step of(OperatorGraph graph, Cluster cluster, Schedule schedule) {
        return new Step(
                graph,
                schedule,
                List.of(Usage.of(graph, cluster, schedule)),
                CriticalPath.of(graph, cluster, schedule));
    }
}
