package dev.levee.gar.rules;

import java.util.Arrays;

/**
 * Clusters points by average linkage (UPGMA): it merges the two clusters with the smallest average
 * distance (ties: the lowest members) until two are left.
 */
final class AverageLinkage {
    private AverageLinkage() {}

    /**
     * Splits points into two clusters; a single point has an empty second cluster.
     *
     * @param distances between all points, symmetric, finite
     * @return whether each point is in the larger cluster (ties: that of point 0)
     */
    static boolean[] larger(double[][] distances) {
        int n = distances.length;
        double[][] d = Arrays.stream(distances).map(double[]::clone).toArray(double[][]::new);
        int[] sizes = new int[n];
        int[] clusters = new int[n];
        Arrays.fill(sizes, 1);
        Arrays.setAll(clusters, i -> i);
        for (int left = n; left > 2; left--) {
            int a = -1;
            int b = -1;
            for (int i = 0; i < n; i++) {
                for (int j = i + 1; j < n && sizes[i] > 0; j++) {
                    if (sizes[j] > 0 && (a < 0 || d[i][j] < d[a][b])) {
                        a = i;
                        b = j;
                    }
                }
            }
            merge(d, sizes, clusters, a, b);
        }
        int best = 0; // point 0 always is in cluster 0
        for (int c = 1; c < n; c++) {
            best = sizes[c] > sizes[best] ? c : best;
        }
        boolean[] larger = new boolean[n];
        for (int i = 0; i < n; i++) {
            larger[i] = clusters[i] == best;
        }
        return larger;
    }

    private static void merge(double[][] d, int[] sizes, int[] clusters, int a, int b) {
        int all = sizes[a] + sizes[b];
        for (int k = 0; k < sizes.length; k++) {
            if (k != a && k != b && sizes[k] > 0) {
                d[a][k] = (sizes[a] * d[a][k] + sizes[b] * d[b][k]) / all;
                d[k][a] = d[a][k];
            }
            if (clusters[k] == b) {
                clusters[k] = a;
            }
        }
        sizes[a] = all;
        sizes[b] = 0;
    }
}
