package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** TorchScript files that torch itself wrote; {@code torch/make_files.py} says how. */
@Tag("native")
class TorchFilesTest {
    private static final Dataset TRAIN =
            Datasets.open("strokes:?train=600&test=200", Datasets.Split.TRAIN);
    private static final Dataset TEST =
            Datasets.open("strokes:?train=600&test=200", Datasets.Split.TEST);

    @TempDir Path folder;

    private static Path file(String name) {
        return Path.of("src/test/resources/torch", name).toAbsolutePath();
    }

    @ParameterizedTest
    @ValueSource(strings = {"perceptron.pt", "convolution.pt"})
    void loadsTrainsAndEvaluates(String name) {
        assertThat(trained(file(name))).isGreaterThan(0.5);
    }

    @Test
    void runningStatisticsAreSegmentsThatAreNotTrained() {
        Model model = open(file("convolution.pt"));
        assertThat(model.layout().segments())
                .filteredOn(segment -> !segment.trainable())
                .extracting(Segment::name)
                .containsExactly(
                        "1.running_mean", "1.running_var", "4.running_mean", "4.running_var");
        assertThat(model.layout().trainable()).isEqualTo(6 * 25 + 6 + 12 + 1200 + 8 + 16 + 1290);
    }

    /** A gradient of the one weight is the sum over both of its places. */
    @Test
    void aTiedParameterIsOneSegmentAndTrains() {
        int[] shape = {3, 2, 2};
        Samples samples = Samples.of(shape, 2, 16, 3);
        Model model = Models.open("file:" + file("tied.pt"), shape, 2);
        assertThat(model.layout().segments())
                .extracting(Segment::name)
                .contains("first.weight")
                .doesNotContain("second.weight");
        float[] start = model.initialParameters(0);
        float[] moved = start.clone();
        moved[0] += 0.01f;
        try (Learner learner = model.newLearner()) {
            Gradient gradient = learner.gradient(start, samples.all(), 0);
            assertThat(learner.gradient(moved, samples.all(), 0).loss() - gradient.loss())
                    .isCloseTo(0.01 * gradient.values()[0], within(1e-5));
        }
    }

    /** The norm weights a batch by how many batches it has counted before. */
    @Test
    void whatAModuleCountsInABufferStartsAnew() {
        int[] shape = {3, 2, 2};
        Samples samples = Samples.of(shape, 2, 16, 3);
        Model model = Models.open("file:" + file("tied.pt"), shape, 2);
        float[] start = model.initialParameters(0);
        try (Learner learner = model.newLearner()) {
            float[] gradient = learner.gradient(start, samples.all(), 0).values();
            assertThat(learner.gradient(start, samples.all(), 0).values()).isEqualTo(gradient);
        }
    }

    /** Not only the torch that made the files beside the test: also the one that reads them. */
    @Test
    void readsWhatTheEngineItselfWrites() throws IOException {
        Path copy = folder.resolve("copy.pt");
        try (PtNDManager manager = (PtNDManager) NDManager.newBaseManager("PyTorch");
                InputStream in = Files.newInputStream(file("perceptron.pt"));
                OutputStream out = Files.newOutputStream(copy)) {
            JniUtils.writeModule(JniUtils.loadModule(manager, in, true, false), out, false);
        }
        assertThat(trained(copy)).isEqualTo(trained(file("perceptron.pt")));
    }

    private static Model open(Path file) {
        return Models.open("file:" + file, TRAIN.shape(), TRAIN.classes());
    }

    /** Accuracy on other samples after a few steps on the training samples. */
    private static double trained(Path file) {
        Model model = open(file);
        float[] parameters = model.initialParameters(0);
        int[] samples = new int[100];
        try (Learner learner = model.newLearner()) {
            for (int step = 0; step < 90; step++) {
                int first = step % 6 * samples.length;
                Arrays.setAll(samples, i -> first + i);
                float[] gradient =
                        learner.gradient(parameters, TRAIN.batch(samples), step).values();
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] =
                            i < model.layout().trainable()
                                    ? parameters[i] - 0.2f * gradient[i]
                                    : gradient[i];
                }
            }
            return learner.evaluate(parameters, TEST).accuracy();
        }
    }
}
