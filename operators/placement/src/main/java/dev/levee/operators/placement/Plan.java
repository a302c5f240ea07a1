package dev.levee.operators.placement;

import dev.levee.operators.placement.graph.Cluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.Bounds;
import dev.levee.operators.placement.schedule.CriticalPath;
import dev.levee.operators.placement.schedule.Schedule;
import dev.levee.operators.placement.schedule.Usage;

import java.util.List;

/**
 * Where the operators of a graph run, and what a step takes there.
 *
 * @param graph what is placed
 * @param cluster where
 * @param algorithm by which algorithm
 * @param schedule when everything runs
 * @param usage what each device does
 * @param critical why it takes as long as it does
 * @param bounds what no plan can beat
 */
public record Plan(
        OperatorGraph graph,
        Cluster cluster,
        Algorithm algorithm,
        Schedule schedule,
        List<Usage> usage,
        CriticalPath critical,
        Bounds bounds) {
    public Plan {
        usage = List.copyOf(usage);
    }

    /** The plan of a schedule. */
    static Plan of(OperatorGraph graph, Cluster cluster, Algorithm algorithm, Schedule schedule) {
        return new Plan(
                graph,
                cluster,
                algorithm,
                schedule,
                List.of(Usage.of(graph, cluster, schedule)),
                CriticalPath.of(graph, cluster, schedule),
                Bounds.of(graph, cluster));
    }
}
