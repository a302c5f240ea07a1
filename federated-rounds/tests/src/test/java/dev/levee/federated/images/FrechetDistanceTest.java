package dev.levee.federated.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.ojalgo.matrix.store.R064Store;

import java.util.Random;

class FrechetDistanceTest {
    private static R064Store matrix(double[][] rows) {
        R064Store store = R064Store.FACTORY.make(rows.length, rows.length);
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < rows.length; j++) {
                store.set(i, j, rows[i][j]);
            }
        }
        return store;
    }

    private static Moments moments(double[] mean, double[][] covariance) {
        return new Moments(mean, matrix(covariance));
    }

    /** 3² + 4² and (√4 − √1)² + (√9 − √25)², for diagonal matrices commute. */
    @Test
    void ofDiagonalMatricesItIsThatOfEachFeature() {
        Moments one = moments(new double[] {0, 1}, new double[][] {{4, 0}, {0, 9}});
        Moments other = moments(new double[] {3, 5}, new double[][] {{1, 0}, {0, 25}});
        assertThat(FrechetDistance.of(one, other)).isCloseTo(25 + 1 + 4, within(1e-9));
        assertThat(FrechetDistance.of(other, one)).isCloseTo(25 + 1 + 4, within(1e-9));
    }

    /**
     * Of 2×2 matrices tr √M = √(tr M + 2·√det M): with Σ₁ = [[2,1],[1,2]] and Σ₂ = [[3,0],[0,1]]
     * the product has trace 8 and determinant 9, so √14; 4 + 4 − 2·√14.
     */
    @Test
    void matricesThatDoNotCommute() {
        Moments one = moments(new double[2], new double[][] {{2, 1}, {1, 2}});
        Moments other = moments(new double[2], new double[][] {{3, 0}, {0, 1}});
        double expected = 8 - 2 * Math.sqrt(14);
        assertThat(FrechetDistance.of(one, other)).isCloseTo(expected, within(1e-9));
        assertThat(FrechetDistance.of(other, one)).isCloseTo(expected, within(1e-9));
    }

    /** Mean (2, 3); deviations (−1, −2), (1, 2) twice, over 4 − 1. */
    @Test
    void covariancesAreUnbiased() {
        Moments moments = Moments.of(new float[] {1, 1, 3, 5, 1, 1, 3, 5}, 4);
        assertThat(moments.mean()).containsExactly(2, 3);
        assertThat(moments.covariance().doubleValue(0, 0)).isCloseTo(4 / 3.0, within(1e-12));
        assertThat(moments.covariance().doubleValue(0, 1)).isCloseTo(8 / 3.0, within(1e-12));
        assertThat(moments.covariance().doubleValue(1, 0)).isCloseTo(8 / 3.0, within(1e-12));
        assertThat(moments.covariance().doubleValue(1, 1)).isCloseTo(16 / 3.0, within(1e-12));
    }

    /** Features that never vary make singular matrices, whose roots exist. */
    @Test
    void singularMatricesAreNoObstacle() {
        Random random = new Random(5);
        float[] features = new float[40 * 20];
        for (int i = 0; i < features.length; i++) {
            features[i] = i % 20 < 15 ? (float) random.nextGaussian() : 7;
        }
        Moments moments = Moments.of(features, 40);
        assertThat(FrechetDistance.of(moments, moments)).isCloseTo(0, within(1e-6));
    }
}
