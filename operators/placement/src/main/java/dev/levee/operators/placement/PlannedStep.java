package dev.levee.operators.placement;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.CriticalPath;
import dev.levee.operators.placement.schedule.DeviceUsage;
import dev.levee.operators.placement.schedule.OperatorSchedule;

import java.util.List;

/**
 * A predicted step and its analysis.
 *
 * @param graph the graph that runs: the placed graph, or its copies for micro-batches
 * @param schedule the schedule of the step
 * @param usage the usage of each device
 * @param critical the critical path
 */
public record PlannedStep(
        OperatorGraph graph,
        OperatorSchedule schedule,
        List<DeviceUsage> usage,
        CriticalPath critical) {
    public PlannedStep {
        usage = List.copyOf(usage);
    }

    /** Analyzes a schedule. */
    static PlannedStep of(OperatorGraph graph, DeviceCluster cluster, OperatorSchedule schedule) {
        return new PlannedStep(
                graph,
                schedule,
                List.of(DeviceUsage.of(graph, cluster, schedule)),
                CriticalPath.of(graph, cluster, schedule));
    }
}
