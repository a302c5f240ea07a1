package dev.levee.gar.internal.eigen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Random;

class SymmetricEigenTest {
    @Test
    void twoByTwoByHand() {
        SymmetricEigen eigen = SymmetricEigen.of(new double[][] {{2, 1}, {1, 2}});
        assertThat(eigen.value(0)).isCloseTo(3, within(1e-15));
        assertThat(eigen.value(1)).isCloseTo(1, within(1e-15));
        assertThat(eigen.vector(0)[0]).isCloseTo(Math.sqrt(0.5), within(1e-15));
        assertThat(eigen.vector(0)[1]).isCloseTo(Math.sqrt(0.5), within(1e-15));
        assertThat(eigen.vector(1)[0]).isCloseTo(Math.sqrt(0.5), within(1e-15));
        assertThat(eigen.vector(1)[1]).isCloseTo(-Math.sqrt(0.5), within(1e-15));
    }

    @Test
    void diagonalAndEmptyMatrices() {
        SymmetricEigen eigen = SymmetricEigen.of(new double[][] {{1, 0, 0}, {0, 5, 0}, {0, 0, -2}});
        assertThat(eigen.value(0)).isEqualTo(5);
        assertThat(eigen.value(1)).isEqualTo(1);
        assertThat(eigen.value(2)).isEqualTo(-2);
        assertThat(eigen.vector(0)).containsExactly(0, 1, 0);
        assertThat(SymmetricEigen.of(new double[3][3]).value(2)).isZero();
    }

    /** A·v = λ·v, vectors of length one at right angles, values in order, at many scales. */
    @Test
    void decomposesRandomMatrices() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            int n = 1 + random.nextInt(25);
            double scale = Math.pow(10, random.nextInt(60) - 30);
            double[][] a = new double[n][n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    a[i][j] = scale * random.nextGaussian() * (seed % 3 == 0 ? 1e4 / (1 + i) : 1);
                    a[j][i] = a[i][j];
                }
            }
            SymmetricEigen eigen = SymmetricEigen.of(a);
            double size = Math.max(Math.abs(eigen.value(0)), Math.abs(eigen.value(n - 1)));
            for (int k = 0; k < n; k++) {
                double[] v = eigen.vector(k);
                for (int i = 0; i < n; i++) {
                    assertThat(dot(a[i], v))
                            .as("seed %d", seed)
                            .isCloseTo(eigen.value(k) * v[i], within(1e-12 * size));
                }
                for (int other = 0; other < k; other++) {
                    assertThat(dot(eigen.vector(other), v))
                            .as("seed %d", seed)
                            .isCloseTo(0, within(1e-12));
                    assertThat(eigen.value(other)).isGreaterThanOrEqualTo(eigen.value(k));
                }
                assertThat(dot(v, v)).as("seed %d", seed).isCloseTo(1, within(1e-12));
            }
        }
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
