package dev.levee.operators.placement;

import dev.levee.operators.placement.graph.Cluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.Bounds;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the operators of a graph run, and what a step takes there.
 *
 * @param graph what is placed
 * @param cluster where
 * @param algorithm by which algorithm
 * @param options how
 * @param devices the device of each operator
 * @param step what a step takes
 * @param bounds what no plan can beat
 */
public record Plan(
        OperatorGraph graph,
        Cluster cluster,
        Algorithm algorithm,
        Options options,
        List<Integer> devices,
        Step step,
        Bounds bounds) {
    public Plan {
        devices = List.copyOf(devices);
    }

    /** Seconds of a step. */
    public double makespan() {
        return step.schedule().makespan();
    }

    /**
     * Devices whose memory is short for copies of other devices' outputs, which the algorithms do
     * not count: names of those where the peak and the most that is received exceed the memory.
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
