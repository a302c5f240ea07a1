package dev.levee.gar.rules;

import java.util.stream.IntStream;

/**
 * Inner products of rows about their weighted mean, from squared distances alone: ⟨x_i − μ, x_j −
 * μ⟩ = ½(a_i + a_j − d_ij) − ½ā with a_i = Σ_k p_k·d_ik and ā = Σ_i p_i·a_i, p the weights divided
 * by their sum. Rows without weight are left out, so whatever they hold does no harm.
 *
 * @param rows the rows with weight
 * @param shares their weights divided by the sum
 * @param products of the centred rows
 */
record CentredRows(int[] rows, double[] shares, double[][] products) {
    /** Null if two rows with weight are not at a finite distance. */
    static CentredRows of(double[][] distances, double[] weights) {
        int[] rows = IntStream.range(0, weights.length).filter(i -> weights[i] > 0).toArray();
        int k = rows.length;
        double sum = 0;
        for (int row : rows) {
            sum += weights[row];
        }
        double[] shares = new double[k];
        for (int i = 0; i < k; i++) {
            shares[i] = weights[rows[i]] / sum;
        }
        double[] means = new double[k];
        double mean = 0;
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < k; j++) {
                means[i] += shares[j] * distances[rows[i]][rows[j]];
            }
            mean += shares[i] * means[i];
        }
        if (!Double.isFinite(mean)) {
            return null;
        }
        double[][] products = new double[k][k];
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < k; j++) {
                products[i][j] = 0.5 * (means[i] + means[j] - distances[rows[i]][rows[j]] - mean);
            }
        }
        return new CentredRows(rows, shares, products);
    }

    /** A k × k matrix with the nonzero eigenvalues of the rows' weighted covariance. */
    double[][] covariance() {
        int k = rows.length;
        double[][] covariance = new double[k][k];
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < k; j++) {
                covariance[i][j] = Math.sqrt(shares[i] * shares[j]) * products[i][j];
            }
        }
        return covariance;
    }

    /**
     * The centred rows along a principal direction, up to one common factor.
     *
     * @param eigenvector of {@link #covariance}
     */
    double[] projections(double[] eigenvector) {
        double[] projections = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < rows.length; j++) {
                projections[i] += Math.sqrt(shares[j]) * eigenvector[j] * products[i][j];
            }
        }
        return projections;
    }
}
