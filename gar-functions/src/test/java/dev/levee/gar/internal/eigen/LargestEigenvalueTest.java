package dev.levee.gar.internal.eigen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Random;

class LargestEigenvalueTest {
    @Test
    void byHand() {
        assertThat(LargestEigenvalue.of(new double[][] {{-3}}, 1)).isEqualTo(-3);
        assertThat(LargestEigenvalue.of(new double[][] {{2, 1}, {1, 2}}, 2))
                .isCloseTo(3, within(1e-15));
        assertThat(LargestEigenvalue.of(new double[4][4], 4)).isZero();
        assertThat(LargestEigenvalue.of(new double[][] {{1, 0, 0}, {0, 7, 0}, {0, 0, 2}}, 3))
                .isEqualTo(7);
    }

    @Test
    void agreesWithTheWholeDecomposition() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int n = 1 + random.nextInt(30);
            int rank = 1 + random.nextInt(n);
            double scale = Math.pow(10, random.nextInt(60) - 30);
            double[][] factors = new double[n][rank];
            for (double[] row : factors) {
                for (int k = 0; k < rank; k++) {
                    row[k] = random.nextGaussian() * Math.pow(10, -k);
                }
            }
            double[][] matrix = new double[n][n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    for (int k = 0; k < rank; k++) {
                        matrix[i][j] += scale * factors[i][k] * factors[j][k];
                    }
                }
            }
            double expected = SymmetricEigen.of(matrix).value(0);
            assertThat(LargestEigenvalue.of(matrix, n))
                    .as("seed %d", seed)
                    .isCloseTo(expected, within(1e-13 * expected));
        }
    }
}
