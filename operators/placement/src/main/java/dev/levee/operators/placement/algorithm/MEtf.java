package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.Cluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.ListScheduler;
import dev.levee.operators.placement.schedule.Schedule;

/**
 * Baechi's m-ETF: among all ready operators and devices with room, the pair that can start earliest
 * is next.
 *
 * @param reserve true to reserve the memory of a colocation group with its first operator
 */
public record MEtf(boolean reserve) implements Placer {
    @Override
    public Schedule place(OperatorGraph graph, Cluster cluster) throws InfeasibleException {
        return ListScheduler.run(
                graph, cluster, ListScheduler.Rules.earliest(graph, cluster, reserve));
    }
}
