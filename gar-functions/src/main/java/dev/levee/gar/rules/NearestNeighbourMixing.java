package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.PreAggregation;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.internal.Order;

import java.util.Arrays;

/**
 * Each row becomes the mean of its n − f nearest rows, itself included (Allouah et al., "Fixing by
 * Mixing", AISTATS 2023, algorithm 2). Ties: lowest rows; NaN distances are farthest. Weighted rows
 * count by their weights.
 */
public record NearestNeighbourMixing() implements PreAggregation {
    @Override
    public String name() {
        return "nnm";
    }

    @Override
    public int minimumRows(int f) {
        return RowLimit.rows(f + 1L);
    }

    @Override
    public String limit() {
        return "n ≥ f + 1";
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    @Override
    public boolean takesWeights() {
        return true;
    }

    @Override
    public RowMap map(LookResult looked, Round round) {
        int n = round.rows();
        int nearest = Math.max(1, n - round.f());
        double[][] weights = new double[n][n];
        double[] distances = new double[n];
        for (int i = 0; i < n; i++) {
            int row = i;
            Arrays.setAll(distances, j -> distance(looked, row, j));
            int[] mixed = Arrays.copyOf(Order.ascending(distances), nearest);
            double[] shares = RowWeights.shares(mixed, round);
            for (int k = 0; k < nearest; k++) {
                weights[row][mixed[k]] = shares[k];
            }
        }
        return new RowMap(weights);
    }

    private static double distance(LookResult looked, int i, int j) {
        if (i == j) {
            return -1; // a row is its own nearest, even if others equal it
        }
        double distance = looked.squaredDistance(i, j);
        return Double.isNaN(distance) ? Double.POSITIVE_INFINITY : distance;
    }
}
