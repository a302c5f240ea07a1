package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;

/** Networks that learn other things than classes; {@code torch/make_tasks.py} made the files. */
@Tag("native")
class TorchTasksTest {
    private static final float[][] X = {{1, 0, 0.5f}, {0, 1, -1}, {1, 1, 0}, {-1, 0.5f, 2}};
    private static final int[] ALL = {0, 1, 2, 3};
    private static final Dataset NUMBERS =
            Datasets.open(
                    Datasets.inline(X, new float[][] {{1}, {-1}, {2.5f}, {0}}),
                    Datasets.Split.TRAIN);
    private static final Dataset CLASSES =
            Datasets.open(Datasets.inline(X, new int[] {0, 1, 1, 0}, 2), Datasets.Split.TRAIN);

    private static Model open(String file, String loss, Dataset data) {
        return Models.open(
                "file:" + Path.of("src/test/resources/torch", file).toAbsolutePath(),
                data.shape(),
                Task.of(Loss.parse(loss), data));
    }

    @ParameterizedTest
    @CsvSource({"mse, 1", "bce, 3"})
    void gradientsOfBuiltInNetworksAreThoseOfDifferences(String loss, int targets) {
        TaskTest.assertGradients("mnist-cnn", new int[] {1, 28, 28}, loss, targets);
    }

    @Test
    void oneOutputMayStandWithoutAnIndex() {
        Model model = open("flat.pt", "huber", NUMBERS);
        assertThat(model.scores()).containsExactly(Score.RMSE, Score.MAE, Score.R2);
        float[] parameters = model.initialParameters(0);
        Evaluation before = evaluated(model, parameters, NUMBERS);
        train(model, parameters, NUMBERS, 300, 0.1f);
        Evaluation after = evaluated(model, parameters, NUMBERS);
        assertThat(after.scores().get(Score.MAE)).isLessThan(before.scores().get(Score.MAE) / 4);
    }

    @Test
    void aModulesOwnLossIsTrained() {
        Model model = open("houses.pt", "module", NUMBERS);
        // Its two outputs are a number and a spread: no score is made of them.
        assertThat(model.scores()).isEmpty();
        float[] parameters = model.initialParameters(0);
        double before = evaluated(model, parameters, NUMBERS).loss();
        try (Learner learner = model.newLearner()) {
            Gradient gradient = learner.gradient(parameters, NUMBERS.batch(ALL), 0);
            assertThat(gradient.loss()).isCloseTo(before, within(1e-6));
            for (int i = 0; i < parameters.length; i += 5) {
                float[] up = parameters.clone();
                float[] down = parameters.clone();
                up[i] += 0x1p-7f;
                down[i] -= 0x1p-7f;
                double difference =
                        (learner.evaluate(up, NUMBERS).loss()
                                        - learner.evaluate(down, NUMBERS).loss())
                                / ((double) up[i] - down[i]);
                assertThat((double) gradient.values()[i]).isCloseTo(difference, within(2e-3));
            }
        }
        // What torch 1.13 comes to from the same file with the same steps.
        train(model, parameters, NUMBERS, 50, 0.01f);
        assertThat(evaluated(model, parameters, NUMBERS).loss()).isCloseTo(0.70808, within(1e-3));
    }

    @Test
    void aModulesOwnLossOfClassesHasAnAccuracy() {
        Model model = open("tags.pt", "module", CLASSES);
        assertThat(model.scores()).containsExactly(Score.ACCURACY);
        float[] parameters = model.initialParameters(0);
        train(model, parameters, CLASSES, 300, 0.1f);
        assertThat(evaluated(model, parameters, CLASSES).accuracy()).isEqualTo(1);
    }

    @Test
    void saysWhatDoesNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open("flat.pt", "module", NUMBERS))
                .withMessageEndingWith(
                        "flat.pt has no method loss(self, outputs, targets): mark it with"
                                + " @torch.jit.export, or name a loss");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open("houses.pt", "mse", NUMBERS))
                .withMessageEndingWith(
                        "houses.pt maps one sample to (1, 2) values instead of (1, 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open("tags.pt", "module", NUMBERS))
                .withMessageContaining(
                        "loss(outputs, targets) does not take outputs of (1, 2) and targets of (1, 1): ");
    }

    private static Evaluation evaluated(Model model, float[] parameters, Dataset data) {
        try (Learner learner = model.newLearner()) {
            return learner.evaluate(parameters, data);
        }
    }

    private static void train(
            Model model, float[] parameters, Dataset data, int steps, float rate) {
        try (Learner learner = model.newLearner()) {
            for (int step = 0; step < steps; step++) {
                float[] gradient = learner.gradient(parameters, data.batch(ALL), 0).values();
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] -= rate * gradient[i];
                }
            }
        }
    }
}
