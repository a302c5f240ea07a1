package dev.levee.learners.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Loss;
import dev.levee.learners.Score;
import dev.levee.learners.Task;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Map;

/** Scores worked by hand. */
class TallyTest {
    private static Map<Score, Double> scores(
            String loss, int targets, float[] outputs, float... answers) {
        int size = outputs.length / targets;
        Tally tally = Tally.of(new Task(Loss.parse(loss), 0, targets), size);
        // In two batches, as an evaluation has several.
        int first = size / 2;
        for (int[] part : new int[][] {{0, first}, {first, size}}) {
            tally.add(
                    Arrays.copyOfRange(outputs, part[0] * targets, part[1] * targets),
                    new Batch(
                            new float[0],
                            new int[part[1] - part[0]],
                            Arrays.copyOfRange(answers, part[0] * targets, part[1] * targets)));
        }
        return tally.scores();
    }

    @Test
    void theAreaCountsPairsInOrderAndTiesOneHalf() {
        // Ones at 0.5, 2 and 2; zeros at −1, 0.5 and 2. Pairs won: 0.5 beats −1 and ties 0.5: 1.5;
        // each 2 beats −1 and 0.5 and ties 2: 2.5. In all 6.5 of 9.
        Map<Score, Double> scores =
                scores("bce", 1, new float[] {0.5f, -1, 2, 0.5f, 2, 2}, 1, 0, 1, 0, 0, 1);
        assertThat(scores.get(Score.AUC)).isEqualTo(6.5 / 9);
        // Told 1: all but −1. Three true positives, two false ones, no miss.
        assertThat(scores.get(Score.ACCURACY)).isEqualTo(4 / 6.0);
        assertThat(scores.get(Score.F1)).isEqualTo(6 / 8.0);
    }

    @Test
    void zerosOfEitherSignAreOne() {
        assertThat(scores("bce", 1, new float[] {-0f, 0f}, 1, 0).get(Score.AUC)).isEqualTo(0.5);
        assertThat(scores("bce", 1, new float[] {-3, -2}, 0, 1).get(Score.AUC)).isEqualTo(1);
        assertThat(scores("bce", 1, new float[] {-3, 2}, 1, 0).get(Score.AUC)).isEqualTo(0);
    }

    @Test
    void ofSeveralTargetsTheAreaIsTheMeanOfThoseThatHaveBoth() {
        // The first target is in order, the second the other way round, the third always 1.
        Map<Score, Double> scores =
                scores("bce", 3, new float[] {-1, 1, 1, 2, -1, -1}, 0, 0, 1, 1, 1, 1);
        assertThat(scores.get(Score.AUC)).isEqualTo(0.5);
        assertThat(scores.get(Score.ACCURACY)).isEqualTo(3 / 6.0);
        assertThat(scores("bce", 1, new float[] {1, 2}, 1, 1).get(Score.AUC)).isNaN();
    }

    @Test
    void outputsThatAreNotFiniteHaveNoScores() {
        assertThat(scores("bce", 1, new float[] {Float.NaN, 1}, 0, 1))
                .containsEntry(Score.AUC, Double.NaN)
                .containsEntry(Score.ACCURACY, Double.NaN)
                .containsEntry(Score.F1, Double.NaN);
    }

    @Test
    void errorsOfNumbersAreOverAllTargets() {
        // Errors 1, −1, 3, 1 by sample and target.
        Map<Score, Double> scores = scores("mse", 2, new float[] {1, 9, 7, 21}, 0, 10, 4, 20);
        assertThat(scores.get(Score.RMSE)).isEqualTo(Math.sqrt(12 / 4.0));
        assertThat(scores.get(Score.MAE)).isEqualTo(6 / 4.0);
        // Variations 8 and 50, squared errors 10 and 2: the mean of −0.25 and 0.96.
        assertThat(scores.get(Score.R2)).isCloseTo(0.355, within(1e-12));
    }

    @Test
    void targetsThatDoNotVaryHaveNothingToExplain() {
        Map<Score, Double> scores = scores("mae", 1, new float[] {3, 5}, 4, 4);
        assertThat(scores.get(Score.R2)).isNaN();
        assertThat(scores.get(Score.RMSE)).isEqualTo(1);
    }
}
