package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Batch;

import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.stream.IntStream;

class LogisticTest {
    @Test
    void countsParametersOfFlattenedSamples() {
        Layout layout = Models.open("logistic", new int[] {1, 28, 28}, 10).layout();
        assertThat(layout.size()).isEqualTo(7_850);
        assertThat(layout.trainable()).isEqualTo(7_850);
        assertThat(layout.segments()).extracting(Segment::name).containsExactly("weight", "bias");
        assertThat(layout.segments().get(0).shape()).containsExactly(10, 784);
    }

    @Test
    void startsFromZeroSoThatEveryClassIsEquallyLikely() {
        Model model = Models.open("logistic", new int[] {2}, 2);
        assertThat(model.initialParameters(7)).containsExactly(0, 0, 0, 0, 0, 0);
        try (Learner learner = model.newLearner()) {
            Gradient gradient =
                    learner.gradient(
                            model.initialParameters(7),
                            new Batch(new float[] {1, 2, 3, 4}, new int[] {0, 1}),
                            0);
            // Shares are 1/2 each: the rows are ((1/2 − 1)·(1,2) + 1/2·(3,4)) / 2 and its negative.
            assertThat(gradient.values()).containsExactly(0.5f, 0.5f, -0.5f, -0.5f, 0, 0);
            assertThat(gradient.loss()).isCloseTo(Math.log(2), within(1e-15));
        }
    }

    @Test
    void gradientAgreesWithFiniteDifferencesInDouble() {
        Samples samples = Samples.of(new int[] {5}, 3, 12, 1);
        Model model = Models.open("logistic", samples.shape(), 3);
        float[] parameters = random(model.layout().size(), 2);
        try (Learner learner = model.newLearner()) {
            Gradient gradient = learner.gradient(parameters, samples.all(), 0);
            for (int i = 0; i < parameters.length; i++) {
                double slope =
                        (loss(parameters, i, 1e-5, samples) - loss(parameters, i, -1e-5, samples))
                                / 2e-5;
                assertThat((double) gradient.values()[i]).isCloseTo(slope, within(1e-6));
            }
            assertThat(gradient.loss()).isCloseTo(loss(parameters, 0, 0, samples), within(1e-6));
        }
    }

    /** Whatever is computed side by side, each output is one sum in the order of the features. */
    @Test
    void theLossOfABatchIsThatOfItsSamplesOneByOneToTheBit() {
        for (int outputs : new int[] {2, 4, 5, 6, 10, 13}) {
            Samples samples = Samples.of(new int[] {9}, outputs, 7, outputs);
            Model model = Models.open("logistic", samples.shape(), outputs);
            float[] parameters = random(model.layout().size(), 8);
            try (Learner learner = model.newLearner()) {
                for (int size = 1; size <= samples.size(); size++) {
                    double sum = 0;
                    for (int i = 0; i < size; i++) {
                        sum += learner.gradient(parameters, samples.batch(new int[] {i}), 0).loss();
                    }
                    int[] first = IntStream.range(0, size).toArray();
                    Gradient whole = learner.gradient(parameters, samples.batch(first), 0);
                    assertThat(whole.loss()).isEqualTo(sum / size);
                }
            }
        }
    }

    @Test
    void learns() {
        Samples samples = Samples.of(new int[] {8}, 4, 600, 3);
        Model model = Models.open("logistic", samples.shape(), 4);
        float[] parameters = model.initialParameters(0);
        try (Learner learner = model.newLearner()) {
            Evaluation before = learner.evaluate(parameters, samples);
            assertThat(before.samples()).isEqualTo(600);
            assertThat(before.loss()).isCloseTo(Math.log(4), within(1e-12));
            assertThat(before.accuracy()).isEqualTo(0.25);
            for (int step = 0; step < 100; step++) {
                float[] gradient = learner.gradient(parameters, samples.all(), step).values();
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] -= 0.5f * gradient[i];
                }
            }
            Evaluation after = learner.evaluate(parameters, samples);
            assertThat(after.accuracy()).isGreaterThan(0.97);
            assertThat(after.loss())
                    .isCloseTo(learner.gradient(parameters, samples.all(), 0).loss(), within(1e-9));
        }
    }

    @Test
    void aFreshLearnerAndAWarmOneGiveTheSameBits() {
        Samples samples = Samples.of(new int[] {7}, 3, 50, 4);
        Model model = Models.open("logistic", samples.shape(), 3);
        float[] parameters = random(model.layout().size(), 5);
        try (Learner warm = model.newLearner();
                Learner fresh = model.newLearner()) {
            warm.gradient(
                    random(parameters.length, 6), Samples.of(new int[] {7}, 3, 9, 7).all(), 0);
            assertThat(warm.gradient(parameters, samples.all(), 1).values())
                    .isEqualTo(fresh.gradient(parameters, samples.all(), 2).values());
        }
    }

    @Test
    void saysWhatIsWrongWithItsArguments() {
        Model model = Models.open("logistic", new int[] {2}, 2);
        try (Learner learner = model.newLearner()) {
            assertThatThrownBy(
                            () ->
                                    learner.gradient(
                                            new float[5],
                                            new Batch(new float[2], new int[] {0}),
                                            0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the model has 6 parameters, got 5");
            assertThatThrownBy(
                            () ->
                                    learner.gradient(
                                            new float[6],
                                            new Batch(new float[3], new int[] {0}),
                                            0))
                    .hasMessage("1 samples of 2 features need 2 values, got 3");
            assertThatThrownBy(
                            () ->
                                    learner.gradient(
                                            new float[6],
                                            new Batch(new float[2], new int[] {2}),
                                            0))
                    .hasMessage("the model has 2 classes, got a sample of class 2");
        }
    }

    private static float[] random(int length, long seed) {
        Random random = new Random(seed);
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    /** Mean cross-entropy in double, with one coordinate moved. */
    private static double loss(float[] parameters, int moved, double by, Samples samples) {
        int features = samples.shape()[0];
        int classes = samples.classes();
        double loss = 0;
        for (int s = 0; s < samples.size(); s++) {
            double sum = 0;
            double own = 0;
            for (int c = 0; c < classes; c++) {
                int bias = classes * features + c;
                double logit = parameters[bias] + (bias == moved ? by : 0);
                for (int j = 0; j < features; j++) {
                    int i = c * features + j;
                    logit +=
                            (parameters[i] + (i == moved ? by : 0))
                                    * samples.features()[s * features + j];
                }
                sum += Math.exp(logit);
                own = c == samples.label(s) ? logit : own;
            }
            loss += Math.log(sum) - own;
        }
        return loss / samples.size();
    }
}
