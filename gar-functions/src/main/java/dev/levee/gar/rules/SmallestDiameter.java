package dev.levee.gar.rules;

import dev.levee.gar.Looked;

import java.util.Arrays;

/**
 * Finds the subset of a given size with the smallest largest pairwise distance. A threshold is
 * feasible if the graph of pairs farther apart has a vertex cover of at most as many rows as are
 * left out, so the smallest feasible threshold is searched instead of all subsets.
 */
final class SmallestDiameter {
    private SmallestDiameter() {}

    /** The first such subset of {@code size} of {@code n} rows in lexicographic order. */
    static int[] subset(Looked looked, int n, int size) {
        double[][] distances = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                distances[i][j] = i == j ? 0 : Ranking.worst(looked.squaredDistance(i, j));
            }
        }
        double[] thresholds =
                Arrays.stream(distances)
                        .flatMapToDouble(Arrays::stream)
                        .sorted()
                        .distinct()
                        .toArray();
        int low = 0;
        int high = thresholds.length - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (FarPairs.of(distances, thresholds[middle]).covered(n - size)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return first(FarPairs.of(distances, thresholds[low]), n, size);
    }

    /**
     * Takes each row, in order, that can still be completed to a subset: at most n − size rows are
     * left out, counting those too far from a taken row and those that must go so that no two of
     * the others are too far apart.
     */
    private static int[] first(FarPairs graph, int n, int size) {
        int[] chosen = new int[size];
        int taken = 0;
        int out = 0;
        for (int row = 0; taken < size; row++) {
            if (!graph.alive(row)) {
                continue; // too far from a row that was taken
            }
            FarPairs without = graph.withoutNeighbours(row);
            int left = out + graph.degree(row);
            if (left <= n - size && without.covered(n - size - left)) {
                graph = without;
                out = left;
                chosen[taken++] = row;
            } else {
                graph = graph.without(row);
                out++;
            }
        }
        return chosen;
    }
}
