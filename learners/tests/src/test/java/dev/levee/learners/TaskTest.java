package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

class TaskTest {
    private static final float[][] X = {{1, 0}, {0, 1}, {1, 1}, {2, -1}};
    private static final Dataset NUMBERS = data(new float[][] {{3}, {-1}, {2.5f}, {7}});
    private static final Dataset LABELS = data(new float[][] {{0, 1}, {1, 1}, {0, 0}, {1, 0}});
    private static final Dataset CLASSES =
            Datasets.open(Datasets.inline(X, new int[] {0, 1, 2, 1}, 3), Datasets.Split.TRAIN);

    private static Dataset data(float[][] targets) {
        return Datasets.open(Datasets.inline(X, targets), Datasets.Split.TRAIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-entropy", "bce", "mse", "mae", "huber", "huber(0.5)", "module"})
    void aLossReadsItsOwnNameBack(String name) {
        assertThat(Loss.parse(name).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "l2 | unknown loss l2: there are cross-entropy, bce, mse, mae, huber, huber(DELTA) and module",
                "huber(x) | huber takes a finite number above 0, got x",
                "huber(0) | huber takes a finite number above 0, got 0.0",
                "huber(NaN) | huber takes a finite number above 0, got NaN"
            })
    void whatIsNoLossIsRefused(String name, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Loss.parse(name))
                .withMessage(message);
    }

    @Test
    void outputsAndScoresFollowFromLossAndData() {
        assertThat(task("mse", NUMBERS).outputs()).isEqualTo(1);
        assertThat(task("mse", NUMBERS).scores()).containsExactly(Score.RMSE, Score.MAE, Score.R2);
        assertThat(task("bce", LABELS).outputs()).isEqualTo(2);
        assertThat(task("bce", LABELS).scores())
                .containsExactly(Score.ACCURACY, Score.AUC, Score.F1);
        assertThat(task("cross-entropy", CLASSES).outputs()).isEqualTo(3);
        assertThat(task("module", NUMBERS).outputs()).isEqualTo(1);
        assertThat(new Task(Loss.parse("bce"), 2, 0).outputs()).isEqualTo(1);
    }

    @Test
    void lossAndDataThatDoNotGoTogetherAreRefused() {
        refused(
                "cross-entropy",
                NUMBERS,
                "cross-entropy is for classes, but the data set has a target number: use "
                        + "mse, mae or huber for numbers, bce for 0 and 1, or give classes as whole numbers");
        refused(
                "cross-entropy",
                LABELS,
                "cross-entropy is for classes, but the data set has 2 target numbers per "
                        + "sample: use mse, mae or huber for numbers, bce for 0 and 1, or give classes as whole numbers");
        refused(
                "huber",
                CLASSES,
                "huber is for targets, but the data set has 3 classes: name the numbers to "
                        + "learn with ?targets=COLUMN in its address");
        refused(
                "bce",
                CLASSES,
                "bce is for two classes or targets of 0 and 1, but the data set has 3 "
                        + "classes: use cross-entropy");
        refused(
                "bce",
                NUMBERS,
                "bce is for targets of 0 and 1, but 0 has 3.0 in sample 0: use mse, "
                        + "mae or huber");
        refused(
                "bce",
                data(new float[][] {{1}, {1}, {1}, {1}}),
                "bce needs targets of 0 and of 1, but all training samples have 1");
        Dataset ones = data(new float[][] {{1}, {1}, {1}, {1}});
        assertThat(Task.ofTest(Loss.parse("bce"), ones).outputs()).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Task.ofTest(Loss.parse("bce"), NUMBERS))
                .withMessageContaining("but 0 has 3.0 in sample 0");
        Dataset oneClass = Datasets.open(Datasets.inline(X, new int[4], 2), Datasets.Split.TRAIN);
        assertThat(task("bce", oneClass).outputs()).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Task.classification(1))
                .withMessage("a model needs at least 2 classes, but the data set has 1");
    }

    @Test
    void modelsThatBringTheirLossTakeNoOther() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Models.open("lsgan", new int[] {1, 28, 28}, task("mse", NUMBERS)))
                .withMessage("the model lsgan has its own loss and takes no other, got mse");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Models.open("logistic", new int[] {2}, task("module", NUMBERS)))
                .withMessage(
                        "the loss module is the method of a TorchScript file, file:PATH; "
                                + "logistic has none");
    }

    @Test
    void aLearnerRefusesAnswersOfAnotherTask() {
        Model model = Models.open("logistic", new int[] {2}, task("mse", NUMBERS));
        try (Learner learner = model.newLearner()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () ->
                                    learner.gradient(
                                            new float[3], CLASSES.batch(new int[] {0, 1}), 0))
                    .withMessage("2 samples need 1 targets each, got 0 in all");
        }
    }

    @ParameterizedTest
    @CsvSource({"mse, 1", "mae, 1", "huber, 1", "bce, 2", "mse, 2"})
    void gradientsOfTheLinearModelAreThoseOfDifferences(String loss, int targets) {
        assertGradients("logistic", new int[] {2}, loss, targets);
    }

    static void assertGradients(String name, int[] shape, String loss, int targets) {
        Random random = new Random(3);
        int features = 1;
        for (int extent : shape) {
            features *= extent;
        }
        float[][] x = new float[6][features];
        float[][] y = new float[6][targets];
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < features; j++) {
                x[i][j] = (float) random.nextGaussian();
            }
            for (int j = 0; j < targets; j++) {
                y[i][j] = (i + j) % 2;
            }
        }
        Dataset data = Datasets.open(Datasets.inline(x, y), Datasets.Split.TRAIN);
        Model model = Models.open(name, shape, task(loss, data));
        float[] parameters = model.initialParameters(1);
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] += 0.25f * (float) random.nextGaussian();
        }
        try (Learner learner = model.newLearner()) {
            Gradient gradient =
                    learner.gradient(parameters, data.batch(new int[] {0, 1, 2, 3, 4, 5}), 1);
            assertThat(gradient.loss())
                    .isCloseTo(learner.evaluate(parameters, data).loss(), within(1e-5));
            int stride = Math.max(1, parameters.length / 40);
            for (int i = 0; i < parameters.length; i += stride) {
                float[] up = parameters.clone();
                float[] down = parameters.clone();
                up[i] += 0x1p-8f;
                down[i] -= 0x1p-8f;
                double difference =
                        (learner.evaluate(up, data).loss() - learner.evaluate(down, data).loss())
                                / ((double) up[i] - down[i]);
                assertThat((double) gradient.values()[i]).isCloseTo(difference, within(5e-3));
            }
        }
    }

    @Test
    void theLinearModelFindsALine() {
        // y = 3·a − b + 0.5.
        float[][] y = new float[X.length][1];
        for (int i = 0; i < X.length; i++) {
            y[i][0] = 3 * X[i][0] - X[i][1] + 0.5f;
        }
        Dataset data = data(y);
        Model model = Models.open("logistic", new int[] {2}, task("mse", data));
        float[] parameters = model.initialParameters(1);
        try (Learner learner = model.newLearner()) {
            for (int step = 0; step < 2000; step++) {
                float[] gradient =
                        learner.gradient(parameters, data.batch(new int[] {0, 1, 2, 3}), 0)
                                .values();
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] -= 0.1f * gradient[i];
                }
            }
            Evaluation evaluation = learner.evaluate(parameters, data);
            assertThat(evaluation.scores().get(Score.RMSE)).isLessThan(1e-3);
            assertThat(evaluation.scores().get(Score.R2)).isGreaterThan(0.9999);
        }
        assertThat(parameters[0]).isCloseTo(3, within(0.01f));
        assertThat(parameters[1]).isCloseTo(-1, within(0.01f));
        assertThat(parameters[2]).isCloseTo(0.5f, within(0.01f));
    }

    private static Task task(String loss, Dataset data) {
        return Task.of(Loss.parse(loss), data);
    }

    private static void refused(String loss, Dataset data, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> task(loss, data))
                .withMessage(message);
    }
}
