package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Random;

class SymmetricEigenTest {
    /** Eigenvalues 3 and 1 with (1, 1)/√2 and (1, −1)/√2. */
    @Test
    void twoByTwo() {
        SymmetricEigen eigen = SymmetricEigen.of(new double[][] {{2, 1}, {1, 2}});
        assertThat(eigen.values()).containsExactly(new double[] {3, 1}, within(1e-15));
        double half = Math.sqrt(0.5);
        assertThat(eigen.vectors()[0]).containsExactly(new double[] {half, half}, within(1e-15));
        assertThat(Math.abs(eigen.vectors()[1][0])).isCloseTo(half, within(1e-15));
        assertThat(SymmetricEigen.largest(new double[][] {{2, 1}, {1, 2}}))
                .isCloseTo(3, within(1e-14));
    }

    @Test
    void diagonalIsSortedAndEqualValuesKeepTheirOrder() {
        double[][] matrix = {{1, 0, 0, 0}, {0, 5, 0, 0}, {0, 0, -2, 0}, {0, 0, 0, 5}};
        SymmetricEigen eigen = SymmetricEigen.of(matrix);
        assertThat(eigen.values()).containsExactly(5, 5, 1, -2);
        assertThat(eigen.vectors()[0]).containsExactly(0, 1, 0, 0);
        assertThat(eigen.vectors()[1]).containsExactly(0, 0, 0, 1);
        assertThat(SymmetricEigen.largest(matrix)).isCloseTo(5, within(1e-14));
    }

    /** v·vᵀ of (1, −2, 2): eigenvalue 9, the first of the largest components made positive. */
    @Test
    void rankOneFixesTheSign() {
        double[][] matrix = {{1, -2, 2}, {-2, 4, -4}, {2, -4, 4}};
        SymmetricEigen eigen = SymmetricEigen.of(matrix);
        assertThat(eigen.values()).containsExactly(new double[] {9, 0, 0}, within(1e-14));
        assertThat(Math.abs(eigen.vectors()[0][0])).isCloseTo(1 / 3.0, within(1e-14));
        assertThat(eigen.vectors()[0][1] * eigen.vectors()[0][2])
                .isCloseTo(-4 / 9.0, within(1e-14));
        assertThat(Math.max(eigen.vectors()[0][1], eigen.vectors()[0][2])).isPositive();
    }

    @Test
    void oneAndZeroAndNegative() {
        assertThat(SymmetricEigen.of(new double[][] {{-4}}).values()).containsExactly(-4);
        assertThat(SymmetricEigen.largest(new double[][] {{-4}})).isEqualTo(-4);
        assertThat(SymmetricEigen.largest(new double[3][3])).isZero();
        assertThat(SymmetricEigen.of(new double[3][3]).values()).containsExactly(0, 0, 0);
        assertThat(SymmetricEigen.largest(new double[][] {{-2, 1}, {1, -2}}))
                .isCloseTo(-1, within(1e-14));
    }

    @Test
    void entriesMustBeFinite() {
        assertThatThrownBy(() -> SymmetricEigen.of(new double[][] {{Double.NaN}}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NaN at 0, 0");
    }

    @Test
    void vectorsAreOrthonormalAndSatisfyTheEquation() {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            int n = seed == 0 ? 120 : 1 + random.nextInt(25);
            double scale = StrictMath.pow(10, random.nextInt(500) - 250);
            double[][] matrix = symmetric(random, n, scale);
            SymmetricEigen eigen = SymmetricEigen.of(matrix);
            double size =
                    Math.max(
                            Double.MIN_NORMAL,
                            Math.max(Math.abs(eigen.values()[0]), Math.abs(eigen.values()[n - 1])));
            double tolerance = 1e-14 * Math.max(8, n);
            for (int k = 0; k < n; k++) {
                double[] v = eigen.vectors()[k];
                for (int i = 0; i < n; i++) {
                    double difference = dot(matrix[i], v) - eigen.values()[k] * v[i];
                    assertThat(difference / size)
                            .as("seed %d", seed)
                            .isCloseTo(0, within(tolerance));
                }
                for (int l = 0; l <= k; l++) {
                    assertThat(dot(v, eigen.vectors()[l]))
                            .as("seed %d", seed)
                            .isCloseTo(k == l ? 1 : 0, within(tolerance));
                }
                if (k > 0) {
                    assertThat(eigen.values()[k]).isLessThanOrEqualTo(eigen.values()[k - 1]);
                }
            }
            assertThat(SymmetricEigen.largest(matrix) / size)
                    .as("seed %d", seed)
                    .isCloseTo(eigen.values()[0] / size, within(tolerance));
        }
    }

    private static double[][] symmetric(Random random, int n, double scale) {
        double[][] matrix = new double[n][n];
        int kind = random.nextInt(3);
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) {
                double entry = kind == 0 ? random.nextInt(3) - 1 : random.nextGaussian();
                matrix[i][j] = scale * (kind == 2 && i != j ? 1e-9 * entry : entry);
                matrix[j][i] = matrix[i][j];
            }
        }
        return matrix;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
