package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.ListScheduler;
import dev.levee.operators.placement.schedule.OperatorSchedule;

import java.util.Arrays;

/** Places everything on the device on which it ends earliest. */
public final class SingleDevice implements Placer {
    @Override
    public OperatorSchedule place(OperatorGraph graph, DeviceCluster cluster)
            throws InfeasibleException {
        int[] bound = graph.bound(cluster);
        OperatorSchedule best = null;
        InfeasibleException refused = null;
        long largest = -1;
        for (int d = 0; d < cluster.size(); d++) {
            int device = d;
            if (Arrays.stream(bound).anyMatch(each -> each >= 0 && each != device)) {
                continue;
            }
            int[] devices = new int[graph.size()];
            Arrays.fill(devices, d);
            try {
                OperatorSchedule next =
                        ListScheduler.run(graph, cluster, ListScheduler.Rules.on(devices));
                if (best == null || next.makespan() < best.makespan()) {
                    best = next;
                }
            } catch (InfeasibleException e) {
                if (cluster.device(d).memory() > largest) {
                    largest = cluster.device(d).memory();
                    refused = e;
                }
            }
        }
        if (best != null) {
            return best;
        }
        if (refused != null) {
            throw refused;
        }
        throw new IllegalArgumentException(
                "one device cannot run operators that are bound to several");
    }
}
