package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.ListScheduler;
import dev.levee.operators.placement.schedule.OperatorSchedule;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Baechi's m-SCT: m-ETF in which devices wait for favorite children, which a linear program
 * determines.
 *
 * @param reserve true to reserve the memory of a colocation group with its first operator
 * @param threshold the value of the relaxed program below which an edge leads to a favorite child
 */
public record MSct(boolean reserve, double threshold) implements Placer {
    /** The default of Baechi's code; the paper uses 0.1. */
    public static final double DEFAULT_THRESHOLD = 0.5;

    @Override
    public OperatorSchedule place(OperatorGraph graph, DeviceCluster cluster)
            throws InfeasibleException {
        return place(graph, cluster, favorites(graph, cluster));
    }

    private int[] favorites(OperatorGraph graph, DeviceCluster cluster) {
        return favorites(graph, RelaxedSct.solve(graph, cluster, RelaxedSct.EXACT), threshold);
    }

    private OperatorSchedule place(OperatorGraph graph, DeviceCluster cluster, int[] favorites)
            throws InfeasibleException {
        return ListScheduler.run(
                graph,
                cluster,
                ListScheduler.Rules.earliest(graph, cluster, reserve).withFavorites(favorites));
    }

    /** {@inheritDoc} The linear program of a graph is solved once. */
    @Override
    public Placer remembering() {
        Map<OperatorGraph, int[]> solved = new IdentityHashMap<>();
        return (graph, cluster) ->
                place(
                        graph,
                        cluster,
                        solved.computeIfAbsent(graph, each -> favorites(each, cluster)));
    }

    /**
     * The favorite child of each operator, or −1. Rounding can give an operator two favorite
     * children, or a child two parents. Then the edge with the higher id wins; the other parent
     * loses its favorite child, as in Baechi's code.
     *
     * @param relaxed values of all edges, from {@link RelaxedSct}
     * @param threshold an edge below it leads to a favorite child
     */
    static int[] favorites(OperatorGraph graph, double[] relaxed, double threshold) {
        int[] favorite = new int[graph.size()];
        int[] parent = new int[graph.size()];
        Arrays.fill(favorite, -1);
        Arrays.fill(parent, -1);
        for (int edge = 0; edge < graph.edges(); edge++) {
            if (relaxed[edge] < threshold) {
                int child = graph.to(edge);
                favorite[graph.from(edge)] = child;
                if (parent[child] >= 0) {
                    favorite[parent[child]] = -1;
                }
                parent[child] = graph.from(edge);
            }
        }
        return favorite;
    }
}
