package dev.levee.gar.rules;

import dev.levee.gar.Looked;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Krum's scores and the choice by score (Blanchard et al., NeurIPS 2017, section 4). */
final class KrumScores {
    private KrumScores() {}

    /**
     * Sum of squared distances from each row to its nearest others. A distance that is not a number
     * counts as infinite.
     */
    static double[] of(Looked looked, int rows, int neighbours) {
        double[] scores = new double[rows];
        double[] distances = new double[rows - 1];
        for (int i = 0; i < rows; i++) {
            int others = 0;
            for (int j = 0; j < rows; j++) {
                if (j != i) {
                    distances[others++] = finite(looked.squaredDistance(i, j));
                }
            }
            Arrays.sort(distances);
            for (int k = 0; k < neighbours; k++) {
                scores[i] += distances[k];
            }
        }
        return scores;
    }

    /** The {@code m} rows of least score in order of rows; of equal scores the lowest rows. */
    static int[] least(double[] scores, int m) {
        return IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> scores[i]))
                .mapToInt(Integer::intValue)
                .limit(m)
                .sorted()
                .toArray();
    }

    /** The number of neighbours that a score counts: n − f − 2, but 1 where that leaves none. */
    static int neighbours(int rows, int f) {
        return Math.min(rows - 1, Math.max(1, rows - f - 2));
    }

    private static double finite(double distance) {
        return Double.isNaN(distance) ? Double.POSITIVE_INFINITY : distance;
    }
}
