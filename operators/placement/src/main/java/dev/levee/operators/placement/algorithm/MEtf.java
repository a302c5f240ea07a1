package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.ListScheduler;
import dev.levee.operators.placement.schedule.OperatorSchedule;

/**
 * Baechi's m-ETF: among all ready operators and devices with room, the pair that can start earliest
 * is next.
 *
 * @param reserve true to reserve the memory of a colocation group with its first operator
 */
public record MEtf(boolean reserve) implements Placer {
    @Override
    public OperatorSchedule place(OperatorGraph graph, DeviceCluster cluster)
            throws InfeasibleException {
        return ListScheduler.run(
                graph, cluster, ListScheduler.Rules.earliest(graph, cluster, reserve));
    }
}
