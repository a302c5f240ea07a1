package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.OperatorGraph;

import java.util.Arrays;

/** Derives favorite children from the relaxed program of SCT. */
final class FavoriteChildren {
    private FavoriteChildren() {}

    /**
     * The favorite child of each operator, or −1. Rounding can give an operator two favorite
     * children, or a child two parents. Then the edge with the higher id wins; the other parent
     * loses its favorite child, as in Baechi's code.
     *
     * @param relaxed values of all edges, from {@link RelaxedSct}
     * @param threshold an edge below it leads to a favorite child
     */
    static int[] of(OperatorGraph graph, double[] relaxed, double threshold) {
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
