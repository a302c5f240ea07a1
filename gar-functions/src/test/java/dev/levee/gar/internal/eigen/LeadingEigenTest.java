package dev.levee.gar.internal.eigen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class LeadingEigenTest {
    @Test
    void smallMatricesAreDecomposedWhole() {
        double[][] matrix = gram(new Random(1), LeadingEigen.SMALL, 100);
        SymmetricEigen all = SymmetricEigen.of(matrix);
        assertThat(LeadingEigen.of(matrix).value()).isEqualTo(all.value(0));
        assertThat(LeadingEigen.of(matrix).vector()).isEqualTo(all.vector(0));
    }

    /** The residual ends the iteration, so the pair is as exact as the spectrum lets it be. */
    @Test
    void agreesWithTheWholeDecomposition() {
        for (int seed = 0; seed < 12; seed++) {
            Random random = new Random(seed);
            int n = LeadingEigen.SMALL + 1 + random.nextInt(40);
            // Of few dimensions, the matrix has zero eigenvalues; of many, close ones.
            double[][] matrix = gram(random, n, seed % 3 == 0 ? 5 : seed % 3 == 1 ? n : 20 * n);
            if (seed % 2 == 0) {
                double far = 1e6;
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j < n; j++) {
                        matrix[i][j] += i % 7 == 3 && j % 7 == 3 ? far : 0;
                    }
                }
            }
            SymmetricEigen all = SymmetricEigen.of(matrix);
            LeadingEigen leading = LeadingEigen.of(matrix);
            assertThat(leading.value())
                    .as("seed %d", seed)
                    .isCloseTo(all.value(0), within(1e-13 * all.value(0)));
            double[] vector = leading.vector();
            double[] expected = all.vector(0);
            double gap = (all.value(0) - all.value(1)) / all.value(0);
            for (int i = 0; i < n; i++) {
                // An eigenvector is known to the residual over the gap.
                assertThat(vector[i])
                        .as("component %d, seed %d", i, seed)
                        .isCloseTo(expected[i], within(1e-10 / gap));
            }
        }
    }

    @Test
    void equalEigenvaluesHaveSomeEigenvector() {
        int n = 100;
        double[][] matrix = new double[n][n];
        for (int i = 0; i < n; i++) {
            matrix[i][i] = 3;
        }
        LeadingEigen leading = LeadingEigen.of(matrix);
        assertThat(leading.value()).isCloseTo(3, within(1e-14));
        double norm = Arrays.stream(leading.vector()).map(v -> v * v).sum();
        assertThat(norm).isCloseTo(1, within(1e-14));
    }

    @Test
    void zeroHasTheEigenvalueZero() {
        assertThat(LeadingEigen.of(new double[80][80]).value()).isZero();
    }

    /** Sizes of numbers do not matter, up to squares of floats' largest. */
    @Test
    void scalesWithItsMatrix() {
        double[][] matrix = gram(new Random(5), 90, 200);
        LeadingEigen leading = LeadingEigen.of(matrix);
        double large = 0x1p200;
        for (double[] row : matrix) {
            Arrays.setAll(row, j -> row[j] * large);
        }
        assertThat(LeadingEigen.of(matrix).value()).isEqualTo(leading.value() * large);
        assertThat(LeadingEigen.of(matrix).vector()).isEqualTo(leading.vector());
    }

    private static double[][] gram(Random random, int n, int d) {
        double[][] rows = new double[n][];
        Arrays.setAll(rows, i -> random.doubles(d, -1, 1).toArray());
        double[][] gram = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < d; k++) {
                    gram[i][j] += rows[i][k] * rows[j][k];
                }
            }
        }
        return gram;
    }
}
