package dev.levee.operators.placement;

import dev.levee.operators.placement.algorithm.Placer;
import dev.levee.operators.placement.graph.Cluster;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.InfeasibleException;

/** Makes plans. */
public final class Planner {
    private Planner() {}

    /**
     * Places a graph.
     *
     * @throws IllegalArgumentException if it does not fit, in one sentence that names the operator
     *     without room, its bytes, and the least memory of each device with which this algorithm
     *     finds room for all; or if the algorithm does not take such a graph
     */
    public static Plan plan(
            OperatorGraph graph, Cluster cluster, Algorithm algorithm, Options options) {
        Placer placer = algorithm.placer(options);
        try {
            return Plan.of(graph, cluster, algorithm, placer.place(graph, cluster));
        } catch (InfeasibleException e) {
            throw new IllegalArgumentException(
                    "%s with %s; %,d bytes of memory on each device would do"
                            .formatted(
                                    e.getMessage(),
                                    algorithm.label(),
                                    leastMemory(graph, cluster, placer)),
                    e);
        }
    }

    /**
     * The least memory with which an algorithm places a graph if every device has as much, or what
     * it has where that is more.
     */
    private static long leastMemory(OperatorGraph graph, Cluster cluster, Placer placer) {
        long enough = 0;
        long few = 0;
        for (Operator each : graph.operators()) {
            enough += each.allBytes();
            few = Math.max(few, each.persistent());
        }
        few = Math.max(0, few - 1);
        // An even share and the largest operator are at most twice of all.
        enough *= 2;
        while (few + 1 < enough) {
            long middle = few + (enough - few) / 2;
            if (fits(graph, cluster.withMemoryOfAtLeast(middle), placer)) {
                enough = middle;
            } else {
                few = middle;
            }
        }
        return enough;
    }

    private static boolean fits(OperatorGraph graph, Cluster cluster, Placer placer) {
        try {
            placer.place(graph, cluster);
            return true;
        } catch (InfeasibleException e) {
            return false;
        }
    }
}
