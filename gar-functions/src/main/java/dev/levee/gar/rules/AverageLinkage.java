package dev.levee.gar.rules;

import java.util.Arrays;

/**
 * Clusters points by average linkage (UPGMA): it merges the two clusters with the smallest average
 * distance (ties: the lowest members) until two are left. Each cluster keeps its nearest later
 * cluster, so a merge usually costs O(n) steps.
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
        int[] nearest = new int[n];
        Arrays.fill(sizes, 1);
        Arrays.setAll(clusters, i -> i);
        Arrays.setAll(nearest, i -> nearest(d[i], sizes, i));
        for (int left = n; left > 2; left--) {
            int a = -1;
            for (int i = 0; i < n; i++) {
                if (sizes[i] > 0
                        && nearest[i] >= 0
                        && (a < 0 || d[i][nearest[i]] < d[a][nearest[a]])) {
                    a = i;
                }
            }
            int b = nearest[a];
            merge(d, sizes, clusters, a, b);
            for (int i = 0; i < b; i++) {
                if (i == a || nearest[i] == a || nearest[i] == b) {
                    nearest[i] = nearest(d[i], sizes, i);
                } else if (i < a && sizes[i] > 0) {
                    double change = d[i][a] - d[i][nearest[i]];
                    nearest[i] = change < 0 || change == 0 && a < nearest[i] ? a : nearest[i];
                }
            }
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

    /**
     * The cluster after cluster i that is nearest to it (ties: the lowest), -1 if there is none.
     */
    private static int nearest(double[] distances, int[] sizes, int i) {
        int best = -1;
        for (int j = i + 1; j < sizes.length; j++) {
            if (sizes[j] > 0 && (best < 0 || distances[j] < distances[best])) {
                best = j;
            }
        }
        return best;
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
