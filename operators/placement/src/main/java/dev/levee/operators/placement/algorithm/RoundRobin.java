package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.ListScheduler;
import dev.levee.operators.placement.schedule.OperatorSchedule;

/** Assigns operators, or colocation groups, to the devices in turn, in topological order. */
public final class RoundRobin implements Placer {
    @Override
    public OperatorSchedule place(OperatorGraph graph, DeviceCluster cluster)
            throws InfeasibleException {
        PlacementUnits units = PlacementUnits.of(graph);
        int[] bound = units.bound(graph, cluster);
        int[] devices = new int[units.size()];
        for (int u = 0; u < devices.length; u++) {
            devices[u] = bound[u] >= 0 ? bound[u] : u % cluster.size();
        }
        return ListScheduler.run(graph, cluster, ListScheduler.Rules.on(units.spread(devices)));
    }
}
