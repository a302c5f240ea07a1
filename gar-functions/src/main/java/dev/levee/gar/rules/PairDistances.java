package dev.levee.gar.rules;

import dev.levee.gar.Looked;
import dev.levee.gar.RowMap;

import java.util.Arrays;
import java.util.stream.IntStream;

/** The squared distances between all rows as a full matrix, and what subset rules do with them. */
final class PairDistances {
    private PairDistances() {}

    /** Squared distances; one that is not a number counts as infinite. */
    static double[][] of(Looked looked, int rows) {
        double[][] distances = new double[rows][rows];
        for (int i = 0; i < rows; i++) {
            for (int j = i + 1; j < rows; j++) {
                double distance = looked.squaredDistance(i, j);
                distances[i][j] = Double.isNaN(distance) ? Double.POSITIVE_INFINITY : distance;
                distances[j][i] = distances[i][j];
            }
        }
        return distances;
    }

    /**
     * The rows at a finite distance from another one: those of finite numbers, if there are two. If
     * there are none, all rows.
     */
    static int[] finite(double[][] distances) {
        int n = distances.length;
        int[] finite =
                IntStream.range(0, n)
                        .filter(
                                i ->
                                        IntStream.range(0, n)
                                                .anyMatch(
                                                        j ->
                                                                j != i
                                                                        && Double.isFinite(
                                                                                distances[i][j])))
                        .toArray();
        return finite.length == 0 ? IntStream.range(0, n).toArray() : finite;
    }

    /** 1 for each selected row, 0 for the others. */
    static double[] membership(int[] rows, int n) {
        double[] members = new double[n];
        Arrays.stream(rows).forEach(row -> members[row] = 1);
        return members;
    }

    /** The map to one row, the rows' weighted mean. */
    static RowMap mean(double[] weights) {
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        double total = sum;
        return new RowMap(new double[][] {Arrays.stream(weights).map(w -> w / total).toArray()});
    }
}
