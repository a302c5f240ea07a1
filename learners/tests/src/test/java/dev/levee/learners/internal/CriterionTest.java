package dev.levee.learners.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Loss;
import dev.levee.learners.Task;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

/** Losses worked by hand, and their slopes against differences. */
class CriterionTest {
    private static Criterion of(String loss, int targets) {
        return Criterion.of(new Task(Loss.parse(loss), 0, targets));
    }

    private static Batch targets(int size, float... targets) {
        return new Batch(new float[0], new int[size], targets);
    }

    @ParameterizedTest
    @CsvSource({
        "mse, 3, 1, 4, 4",
        "mse, -1, 1, 4, -4",
        "mae, 3, 1, 2, 1",
        "mae, -1, 1, 2, -1",
        "mae, 1, 1, 0, 0",
        "huber, 1.5, 1, 0.125, 0.5",
        "huber, 2, 1, 0.5, 1",
        "huber, 5, 1, 3.5, 1",
        "huber, -5, 1, 5.5, -1",
        "huber(2), 5, 1, 6, 2",
        "huber(2), 2, 1, 0.5, 1",
        "bce, 0, 1, 0.6931471805599453, -0.5",
        "bce, 0, 0, 0.6931471805599453, 0.5",
        // log(1 + e^-2) and 1 / (1 + e^2).
        "bce, 2, 1, 0.1269280110429725, -0.1192029220221176",
        "bce, 2, 0, 2.1269280110429727, 0.8807970779778824",
        "bce, -200, 1, 200, -1",
        "bce, 200, 1, 0, 0"
    })
    void aTargetsLossAndSlopeAreThoseOfTheDefinition(
            String loss, float output, float target, double expected, double slope) {
        float[] slopes = new float[1];
        Criterion criterion = of(loss, 1);
        assertThat(criterion.losses(new float[] {output}, targets(1, target), slopes))
                .isCloseTo(expected, within(1e-12));
        assertThat((double) slopes[0]).isCloseTo(slope, within(1e-7));
        assertThat(criterion.losses(new float[] {output}, targets(1, target)))
                .isCloseTo(expected, within(1e-12));
    }

    @Test
    void aSamplesLossIsTheMeanOverItsTargets() {
        float[] slope = new float[4];
        // Squared errors 1 and 9, mean 5; 4 and 0, mean 2.
        double sum = of("mse", 2).losses(new float[] {1, 3, 2, 5}, targets(2, 0, 0, 0, 5), slope);
        assertThat(sum).isEqualTo(7);
        // Of the mean of all four squares: 2·error / 4.
        assertThat(slope).containsExactly(0.5f, 1.5f, 1, 0);
    }

    @Test
    void ofTwoClassesTheSecondIsOne() {
        Criterion criterion = Criterion.of(new Task(Loss.parse("bce"), 2, 0));
        Batch batch = new Batch(new float[0], new int[] {0, 1});
        assertThat(criterion.losses(new float[] {-200, -200}, batch)).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mse", "mae", "huber", "huber(0.25)", "bce", "cross-entropy"})
    void slopesAreThoseOfDifferences(String name) {
        Random random = new Random(5);
        Loss loss = Loss.parse(name);
        boolean classes = loss.equals(Loss.DEFAULT);
        int each = 3;
        int size = 4;
        Criterion criterion = Criterion.of(new Task(loss, classes ? each : 0, classes ? 0 : each));
        float[] outputs = new float[size * each];
        float[] targets = new float[outputs.length];
        for (int i = 0; i < outputs.length; i++) {
            outputs[i] = (float) random.nextGaussian();
            targets[i] = random.nextInt(2);
        }
        Batch batch =
                new Batch(new float[0], new int[] {0, 2, 1, 1}, classes ? new float[0] : targets);
        float[] slope = new float[outputs.length];
        criterion.losses(outputs, batch, slope);
        float step = 0x1p-10f;
        for (int i = 0; i < outputs.length; i++) {
            float[] up = outputs.clone();
            float[] down = outputs.clone();
            up[i] += step;
            down[i] -= step;
            double difference =
                    (criterion.losses(up, batch) - criterion.losses(down, batch))
                            / ((double) up[i] - down[i])
                            / size;
            assertThat((double) slope[i]).isCloseTo(difference, within(2e-4));
        }
    }
}
