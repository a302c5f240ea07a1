package dev.levee.gar.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Attacks;
import dev.levee.gar.Samples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

/** Min-max and min-sum. */
class FarthestAttacksTest {
    private static float[] forge(String attack, float[]... honest) {
        return Attacks.rows(Attacks.parse(attack), honest, 1, 0, 0)[0];
    }

    /**
     * Honest 0, 0, 6 around their mean 2: at most 6 away from 6 is 0; the squared distances of 6 to
     * the others add up to 72 = 3·(m − 2)² + 24 for m = −2, those of 0 to 36 for m = 0.
     */
    @Test
    void onTheLineEveryDirectionIsTheSame() {
        for (String direction : new String[] {"std", "unit", "sign"}) {
            assertThat(forge("min-max(" + direction + ")", row(0), row(0), row(6))[0])
                    .isCloseTo(0, within(1e-6f));
            assertThat(forge("min-sum(" + direction + ")", row(0), row(0), row(6))[0])
                    .isCloseTo(-2, within(1e-6f));
            assertThat(forge("min-sum(" + direction + ",least)", row(0), row(0), row(6))[0])
                    .isCloseTo(0, within(1e-6f));
        }
    }

    /**
     * Mean (1, 0), p = (−1, 0), largest squared distance 10: (2 + γ)² ≤ 10 for the row (3, 0). Its
     * squared distances add up to 20 = 3γ² + 8 for γ = 2.
     */
    @Test
    void alongTheMean() {
        float[][] honest = {{0, 1}, {0, -1}, {3, 0}};
        assertThat(forge("min-max(unit)", honest)).containsExactly((float) (3 - Math.sqrt(10)), 0);
        assertThat(forge("min-sum(unit)", honest)).containsExactly(-1, 0);
    }

    /** σ = (√3, 1): (2 + √3γ)² + γ² = 10 for γ = (√9 − √3)/2 = (3 − √3)/2, and 12γ² = 12. */
    @Test
    void alongTheDeviations() {
        float[][] honest = {{0, 1}, {0, -1}, {3, 0}};
        double gamma = (3 - Math.sqrt(3)) / 2;
        assertThat(forge("min-max", honest))
                .containsExactly(
                        new float[] {(float) (1 - gamma * Math.sqrt(3)), (float) -gamma},
                        within(1e-6f));
        assertThat(forge("min-sum", honest))
                .containsExactly(new float[] {(float) (1 - Math.sqrt(3)), -1}, within(1e-6f));
    }

    @Test
    void equalRowsAndASingleRowLeaveNoRoom() {
        for (String attack :
                new String[] {"min-max", "min-sum", "min-max(unit)", "min-sum(sign)"}) {
            assertThat(forge(attack, new float[][] {{1, 2}, {1, 2}})).containsExactly(1, 2);
            assertThat(forge(attack, new float[][] {{3, -4}})).containsExactly(3, -4);
        }
    }

    /** The bound holds with equality, and a little farther out it would not. */
    @ParameterizedTest
    @ValueSource(strings = {"std", "unit", "sign"})
    void theBoundsAreReachedAndNotPassed(String direction) {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            float scale = (float) Math.pow(10, random.nextInt(31) - 15);
            float[][] honest =
                    Samples.normal(random, 2 + random.nextInt(9), 1 + random.nextInt(50));
            for (float[] row : honest) {
                for (int i = 0; i < row.length; i++) {
                    row[i] *= scale;
                }
            }
            double farthest = 0;
            double largestSum = 0;
            for (float[] row : honest) {
                double[] squares = squares(row, honest);
                farthest = Math.max(farthest, max(squares));
                largestSum = Math.max(largestSum, sum(squares));
            }
            double reached = max(squares(forge("min-max(" + direction + ")", honest), honest));
            assertThat(reached / farthest).as("seed %d", seed).isCloseTo(1, within(2e-6));
            double total = sum(squares(forge("min-sum(" + direction + ")", honest), honest));
            assertThat(total / largestSum).as("seed %d", seed).isCloseTo(1, within(2e-6));
        }
    }

    @Test
    void aDirectionThatDoesNotExistIsExplained() {
        assertThatThrownBy(() -> Attacks.parse("min-sum(mean)"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("min-sum: the direction must be std, unit or sign, got mean");
    }

    private static float[] row(float value) {
        return new float[] {value};
    }

    private static double[] squares(float[] row, float[][] honest) {
        double[] squares = new double[honest.length];
        for (int i = 0; i < honest.length; i++) {
            for (int j = 0; j < row.length; j++) {
                double difference = (double) row[j] - honest[i][j];
                squares[i] += difference * difference;
            }
        }
        return squares;
    }

    private static double max(double[] values) {
        double max = 0;
        for (double value : values) {
            max = Math.max(max, value);
        }
        return max;
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }
}
