package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.learners.layers.LayerList;
import dev.levee.learners.layers.LayeredNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

@Tag("native")
class NetworkLearnerTest {
    private static final int[] DIGITS = {1, 28, 28};
    private static final int[] IMAGES = {3, 32, 32};

    private static int[] shape(String name) {
        return name.equals("mnist-cnn") ? DIGITS : IMAGES;
    }

    @ParameterizedTest
    @ValueSource(strings = {"mnist-cnn", "cifarnet", "resnet18"})
    void learns(String name) {
        Samples samples = Samples.of(shape(name), 4, 32, 3);
        Model model = Models.open(name, samples.shape(), 4);
        float[] parameters = model.initialParameters(1);
        int trainable = model.layout().trainable();
        try (Learner learner = model.newLearner()) {
            double before = learner.gradient(parameters, samples.all(), 0).loss();
            for (int step = 0; step < 12; step++) {
                float[] gradient = learner.gradient(parameters, samples.all(), step).values();
                parameters = parameters.clone();
                for (int i = 0; i < trainable; i++) {
                    parameters[i] -= 0.05f * gradient[i];
                }
                System.arraycopy(
                        gradient, trainable, parameters, trainable, gradient.length - trainable);
            }
            assertThat(learner.gradient(parameters, samples.all(), 99).loss())
                    .isLessThan(before / 2);
            assertThat(learner.evaluate(parameters, samples).samples()).isEqualTo(32);
        }
    }

    @Test
    void theWorkingSetGrowsWithTheBatch() {
        Model model = Models.open("mnist-cnn", DIGITS, 10);
        float[] parameters = model.initialParameters(1);
        try (Learner learner = model.newLearner()) {
            learner.gradient(parameters, Samples.of(DIGITS, 10, 16, 5).all(), 0);
            long small = learner.workingSet();
            learner.gradient(parameters, Samples.of(DIGITS, 10, 32, 5).all(), 0);
            long large = learner.workingSet();
            // Parameters and gradients do not grow, inputs do, and what layers leave even more.
            assertThat(small).isGreaterThan(2L * Float.BYTES * parameters.length);
            assertThat(large - small).isGreaterThan(16L * 2 * 28 * 28 * Float.BYTES);
            assertThat(large).isLessThan(2 * small);
        }
    }

    /** A layer that gives 1 MiB for a sample is evaluated for 64 samples at a time. */
    @Test
    void largeLayersAreEvaluatedForFewSamplesAtATime() {
        int[] shape = {3, 64, 64};
        int length = 3 * 64 * 64;
        LayerList layers = LayerList.parse("conv(64, 3, 1, 1); relu; avggrid(1); flatten; dense");
        Model model = LayeredNetwork.open(layers.name(), shape, 4).suffix(-1).model();
        Samples all = Samples.of(shape, 4, 70, 3);
        Samples first =
                new Samples(
                        shape,
                        4,
                        Arrays.copyOf(all.features(), 64 * length),
                        Arrays.copyOf(all.labels(), 64));
        Samples others =
                new Samples(
                        shape,
                        4,
                        Arrays.copyOfRange(all.features(), 64 * length, 70 * length),
                        Arrays.copyOfRange(all.labels(), 64, 70));
        float[] parameters = model.initialParameters(1);
        try (Learner learner = model.newLearner()) {
            double sum =
                    64 * learner.evaluate(parameters, first).loss()
                            + 6 * learner.evaluate(parameters, others).loss();
            assertThat(70 * learner.evaluate(parameters, all).loss()).isCloseTo(sum, within(1e-9));
        }
    }

    @Test
    void gradientAgreesWithFiniteDifferences() {
        Samples samples = Samples.of(DIGITS, 10, 40, 5);
        Model model = Models.open("mnist-cnn", DIGITS, 10);
        float[] parameters = model.initialParameters(6);
        try (Learner learner = model.newLearner()) {
            Gradient gradient = learner.gradient(parameters, samples.all(), 0);
            assertThat(gradient.loss())
                    .isCloseTo(MultilayerPerceptron.loss(parameters, samples, -1, 0), within(1e-6));
            // Coordinates of each of the four tensors.
            for (int i : new int[] {0, 17, 783, 40_000, 78_399, 78_400, 78_499, 78_500, 79_509}) {
                double step = 1e-6;
                double slope =
                        (MultilayerPerceptron.loss(parameters, samples, i, step)
                                        - MultilayerPerceptron.loss(parameters, samples, i, -step))
                                / (2 * step);
                assertThat((double) gradient.values()[i])
                        .as("coordinate %d", i)
                        .isCloseTo(slope, within(1e-6 + 1e-4 * Math.abs(slope)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mnist-cnn", "cifarnet", "resnet18"})
    void threadsAndFreshLearnersGiveTheSameBits(String name)
            throws InterruptedException, ExecutionException {
        Samples samples = Samples.of(shape(name), 10, 10, 7);
        Model model = Models.open(name, samples.shape(), 10);
        float[] parameters = model.initialParameters(8);
        List<float[]> alone = new ArrayList<>();
        try (Learner learner = model.newLearner()) {
            for (int seed = 0; seed < 2; seed++) {
                alone.add(learner.gradient(parameters, samples.all(), seed).values());
            }
        }
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<float[]>>> runs = new ArrayList<>();
            for (int worker = 0; worker < 8; worker++) {
                runs.add(
                        threads.submit(
                                () -> {
                                    List<float[]> together = new ArrayList<>();
                                    try (Learner learner = model.newLearner()) {
                                        for (int seed = 0; seed < 2; seed++) {
                                            together.add(
                                                    learner.gradient(
                                                                    parameters, samples.all(), seed)
                                                            .values());
                                        }
                                    }
                                    return together;
                                }));
            }
            for (Future<List<float[]>> run : runs) {
                for (int seed = 0; seed < 2; seed++) {
                    assertThat(run.get().get(seed)).isEqualTo(alone.get(seed));
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void dropoutFollowsTheSeed() {
        Samples samples = Samples.of(IMAGES, 10, 8, 9);
        Model model = Models.open("cifarnet", IMAGES, 10);
        float[] parameters = model.initialParameters(1);
        try (Learner learner = model.newLearner()) {
            float[] one = learner.gradient(parameters, samples.all(), 1).values();
            float[] two = learner.gradient(parameters, samples.all(), 2).values();
            assertThat(two).isNotEqualTo(one);
            assertThat(learner.gradient(parameters, samples.all(), 1).values()).isEqualTo(one);
            assertThat(learner.evaluate(parameters, samples))
                    .isEqualTo(learner.evaluate(parameters, samples));
        }
    }

    @Test
    void buffersMoveATenthTowardsTheBatch() {
        Samples samples = Samples.of(IMAGES, 10, 16, 11);
        Model model = Models.open("resnet18", IMAGES, 10);
        float[] parameters = model.initialParameters(2);
        float[] before = parameters.clone();
        int mean = segment(model, "bn1.running_mean").offset();
        int variance = segment(model, "bn1.running_var").offset();
        try (Learner learner = model.newLearner()) {
            Gradient first = learner.gradient(parameters, samples.all(), 0);
            assertThat(parameters).isEqualTo(before);
            // From mean 0 and variance 1: a tenth of the batch's, and 0.9 plus a tenth.
            assertThat(first.values()[mean]).isNotZero().isBetween(-1f, 1f);
            assertThat(first.values()[variance]).isGreaterThan(0.9f);
            // Buffers are loaded anew for the same array, so a step repeats itself.
            assertThat(learner.gradient(parameters, samples.all(), 0).values())
                    .isEqualTo(first.values());
        }
    }

    @Test
    void aClosedLearnerSaysSo() {
        Samples samples = Samples.of(DIGITS, 10, 2, 1);
        Model model = Models.open("mnist-cnn", DIGITS, 10);
        Learner learner = model.newLearner();
        learner.close();
        learner.close();
        assertThatThrownBy(() -> learner.gradient(model.initialParameters(0), samples.all(), 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the learner is closed");
    }

    private static Segment segment(Model model, String name) {
        return model.layout().segments().stream()
                .filter(segment -> segment.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
