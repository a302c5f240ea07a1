package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Batch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MicroBatchModelTest {
    /** Largest difference of a coordinate, relative to the largest coordinate. */
    private static final double TOLERANCE = 1e-6;

    private static Gradient gradient(Model model, float[] parameters, Batch batch) {
        try (Learner learner = model.newLearner()) {
            return learner.gradient(parameters, batch, 5);
        }
    }

    private static void agrees(Model model, Samples samples, int most) {
        float[] parameters = model.initialParameters(3);
        Gradient whole = gradient(model, parameters, samples.all());
        Gradient passes = gradient(new MicroBatchModel(model, most), parameters, samples.all());
        double largest = 0;
        for (float value : whole.values()) {
            largest = Math.max(largest, Math.abs(value));
        }
        assertThat(passes.values()).hasSameSizeAs(whole.values());
        for (int i = 0; i < whole.values().length; i++) {
            assertThat((double) passes.values()[i])
                    .isCloseTo(whole.values()[i], within(TOLERANCE * largest));
        }
        assertThat(passes.loss()).isCloseTo(whole.loss(), within(1e-6));
    }

    /** Passes of 17 samples: one, two and three, where the last ones are larger. */
    @ParameterizedTest
    @ValueSource(ints = {1, 6, 9, 16})
    void passesAddUpToTheGradientOfTheBatch(int most) {
        Samples samples = Samples.of(new int[] {5}, 3, 17, 1);
        agrees(Models.open("logistic", samples.shape(), 3), samples, most);
        Samples pictures = Samples.of(new int[] {1, 28, 28}, 10, 17, 2);
        agrees(Models.open("mnist-cnn", pictures.shape(), 10), pictures, most);
    }

    @Test
    void aBatchThatFitsAPassHasTheBitsItAlwaysHad() {
        Samples samples = Samples.of(new int[] {1, 28, 28}, 10, 8, 1);
        Model model = Models.open("mnist-cnn", samples.shape(), 10);
        float[] parameters = model.initialParameters(3);
        Gradient whole = gradient(model, parameters, samples.all());
        Gradient same = gradient(new MicroBatchModel(model, 8), parameters, samples.all());
        assertThat(same.values()).isEqualTo(whole.values());
        assertThat(same.loss()).isEqualTo(whole.loss());
    }

    @Test
    void memoryIsThatOfAPass() {
        Samples samples = Samples.of(new int[] {1, 28, 28}, 10, 64, 1);
        Model model = Models.open("mnist-cnn", samples.shape(), 10);
        float[] parameters = model.initialParameters(3);
        try (Learner all = model.newLearner();
                Learner some = new MicroBatchModel(model, 8).newLearner();
                Learner eight = model.newLearner()) {
            all.gradient(parameters, samples.all(), 0);
            some.gradient(parameters, samples.all(), 0);
            eight.gradient(parameters, samples.all().part(0, 8), 0);
            assertThat(some.workingSet()).isEqualTo(eight.workingSet());
            assertThat(some.workingSet()).isLessThan(all.workingSet());
        }
    }

    @Test
    void aPassWithoutSamplesIsRefused() {
        Model model = Models.open("logistic", new int[] {2}, 2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MicroBatchModel(model, 0))
                .withMessage("a pass needs at least 1 sample, got 0");
    }
}
