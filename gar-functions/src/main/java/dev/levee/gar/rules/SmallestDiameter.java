package dev.levee.gar.rules;

import dev.levee.gar.LookResult;

import java.util.Arrays;

/**
 * Finds the subset of rows of a given size that minimizes the largest pairwise distance. A
 * threshold for this distance is feasible if the graph of pairs farther apart has a vertex cover of
 * at most as many rows as are left out. It therefore searches for the smallest feasible threshold
 * instead of trying all subsets.
 */
final class SmallestDiameter {
    private SmallestDiameter() {}

    /** The first such subset of {@code size} of {@code n} rows in lexicographic order. */
    static int[] subset(LookResult looked, int n, int size) {
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
     * Takes rows in order, each if the rows taken so far can still be completed to a subset. This
     * is so if at most n − size rows are left out: rows too far from a taken row, and rows to
     * remove so that no two remaining rows are too far apart.
     */
    private static int[] first(FarPairs graph, int n, int size) {
        int[] chosen = new int[size];
        int taken = 0;
        int out = 0;
        for (int row = 0; taken < size; row++) {
            if (!graph.alive(row)) {
                continue; // too far from a taken row
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
