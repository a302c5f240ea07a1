package dev.levee.operators.placement;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.Bounds;

import java.util.ArrayList;
import java.util.List;

/**
 * A placement of a graph's operators, and the resulting step.
 *
 * @param graph the placed graph
 * @param cluster the devices and links
 * @param algorithm the placement algorithm
 * @param options its options
 * @param devices the device of each operator
 * @param step the resulting step
 * @param bounds lower bounds of any plan
 */
public record PlacementPlan(
        OperatorGraph graph,
        DeviceCluster cluster,
        Algorithm algorithm,
        PlacementOptions options,
        List<Integer> devices,
        PlannedStep step,
        Bounds bounds) {
    public PlacementPlan {
        devices = List.copyOf(devices);
    }

    /** Seconds of a step. */
    public double makespan() {
        return step.schedule().makespan();
    }

    /**
     * Names of devices that may have too little memory for copies of other devices' outputs, which
     * the algorithms do not count: the peak plus the received bytes exceed the memory.
     */
    public List<String> tight() {
        List<String> tight = new ArrayList<>();
        for (int d = 0; d < cluster.size(); d++) {
            if (step.usage().get(d).peak() + step.usage().get(d).received()
                    > cluster.device(d).memory()) {
                tight.add(cluster.device(d).name());
            }
        }
        return tight;
    }
}
