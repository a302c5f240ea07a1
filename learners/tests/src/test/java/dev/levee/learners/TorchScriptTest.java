package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

@Tag("native")
class TorchScriptTest {
    private static final int[] SHAPE = {3, 2, 2};

    @TempDir Path folder;
    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("net.pt");
        write(file, "h");
    }

    private static void write(Path file, String hidden) throws IOException {
        Map<String, long[]> parameters = new LinkedHashMap<>();
        parameters.put("weight", new long[] {2, 12});
        parameters.put("bias", new long[] {2});
        parameters.put("scale", new long[] {3});
        parameters.put("shift", new long[] {3});
        Map<String, long[]> buffers = new LinkedHashMap<>();
        buffers.put("mean", new long[] {3});
        buffers.put("var", new long[] {3});
        ScriptFiles.write(
                file,
                parameters,
                buffers,
                """
                h = torch.batch_norm(x, self.scale, self.shift, self.mean, self.var, \
                self.training, 0.1, 1.0e-05, False)
                return torch.linear(torch.flatten(%s, 1), self.weight, self.bias)
                """
                        .formatted(hidden));
    }

    @Test
    void tensorsBecomeSegmentsWithTheirValues() {
        Model model = Models.open("file:" + file, SHAPE, 2);
        assertThat(model.name()).isEqualTo("file:" + file);
        assertThat(model.layout().segments())
                .extracting(Segment::name)
                .containsExactly("weight", "bias", "scale", "shift", "mean", "var");
        assertThat(model.layout().trainable()).isEqualTo(32);
        assertThat(model.layout().size()).isEqualTo(38);
        float[] initial = model.initialParameters(5);
        assertThat(initial).startsWith(0.1f, 0.2f, 0.3f, 0.4f).endsWith(1, 1, 1, 1, 1, 1);
        assertThat(initial[24]).isEqualTo(0.1f);
    }

    @Test
    void learnsAndMovesBuffers() {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Model model = Models.open("file:" + file, SHAPE, 2);
        float[] parameters = model.initialParameters(0);
        try (Learner learner = model.newLearner();
                Learner other = model.newLearner()) {
            double before = other.evaluate(parameters, samples).loss();
            for (int step = 0; step < 60; step++) {
                Gradient gradient = learner.gradient(parameters, samples.all(), step);
                assertThat(other.gradient(parameters, samples.all(), step).values())
                        .isEqualTo(gradient.values());
                float[] next = parameters.clone();
                for (int i = 0; i < next.length; i++) {
                    next[i] =
                            i < model.layout().trainable()
                                    ? next[i] - 0.5f * gradient.values()[i]
                                    : gradient.values()[i];
                }
                parameters = next;
            }
            Evaluation after = other.evaluate(parameters, samples);
            assertThat(after.loss()).isLessThan(before / 2);
            assertThat(after.accuracy()).isGreaterThan(0.95);
            // The running mean has arrived at that of the samples.
            double mean = 0;
            for (int s = 0; s < 64; s++) {
                for (int i = 0; i < 4; i++) {
                    mean += samples.features()[s * 12 + i] / 256.0;
                }
            }
            assertThat((double) parameters[32]).isCloseTo(mean, within(0.01));
        }
    }

    @Test
    void dropoutFollowsTheSeed() throws IOException {
        Path random = folder.resolve("random.pt");
        write(random, "torch.dropout(h, 0.5, self.training)");
        Samples samples = Samples.of(SHAPE, 2, 8, 4);
        Model model = Models.open("file:" + random, SHAPE, 2);
        float[] parameters = model.initialParameters(0);
        try (Learner learner = model.newLearner()) {
            float[] one = learner.gradient(parameters, samples.all(), 1).values();
            assertThat(learner.gradient(parameters, samples.all(), 2).values()).isNotEqualTo(one);
            assertThat(learner.gradient(parameters, samples.all(), 1).values()).isEqualTo(one);
        }
    }

    /** Draws in evaluation, too, and in its loss. */
    @Test
    void whatAModuleDrawsFollowsTheSeedWhoeverElseDraws() throws IOException {
        Path random = folder.resolve("random.pt");
        ScriptFiles.write(
                random,
                Map.of("weight", new long[] {2, 12}),
                Map.of(),
                """
                h = torch.dropout(torch.flatten(x, 1), 0.5, True)
                return torch.linear(h, self.weight)
                """,
                "return torch.mean(torch.mul(outputs, torch.rand_like(outputs)))");
        Samples samples = Samples.of(SHAPE, 2, 8, 4);
        Model own = Models.open("file:" + random, SHAPE, new Task(Loss.parse("module"), 2, 0));
        Model model = Models.open("file:" + random, SHAPE, 2);
        float[] parameters = model.initialParameters(0);
        try (Learner learner = model.newLearner();
                Learner lossy = own.newLearner();
                Learner other = model.newLearner()) {
            double evaluated = learner.evaluate(parameters, samples).loss();
            double lost = lossy.evaluate(parameters, samples).loss();
            Gradient gradient = lossy.gradient(parameters, samples.all(), 1);
            other.gradient(parameters, samples.all(), 5);
            assertThat(learner.evaluate(parameters, samples).loss()).isEqualTo(evaluated);
            assertThat(lossy.evaluate(parameters, samples).loss()).isEqualTo(lost);
            assertThat(lossy.gradient(parameters, samples.all(), 1).values())
                    .isEqualTo(gradient.values());
            assertThat(lossy.gradient(parameters, samples.all(), 2).values())
                    .isNotEqualTo(gradient.values());
        }
    }

    /** Its loss takes 256 TiB for each sample but the first. */
    @Test
    void aLossThatRunsOutOfMemorySaysSo() throws IOException {
        ScriptFiles.write(
                file,
                Map.of("weight", new long[] {2, 12}),
                Map.of(),
                "return torch.linear(torch.flatten(x, 1), self.weight)",
                """
                others = torch.sub(torch.size(outputs, 0), 1)
                large = torch.zeros([torch.mul(others, 70368744177664)])
                return torch.add(torch.mean(outputs), torch.sum(large))
                """);
        Model model = Models.open("file:" + file, SHAPE, new Task(Loss.parse("module"), 2, 0));
        Samples samples = Samples.of(SHAPE, 2, 2, 3);
        float[] parameters = model.initialParameters(0);
        try (Learner learner = model.newLearner()) {
            assertThatThrownBy(() -> learner.gradient(parameters, samples.all(), 1))
                    .isInstanceOf(OutOfMemoryError.class);
        }
    }

    @Test
    void aFrozenModuleHasNothingToTrain() throws IOException {
        ScriptFiles.write(file, Map.of(), Map.of(), "return torch.flatten(x, 1)");
        assertThatThrownBy(() -> Models.open("file:" + file, new int[] {2}, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the TorchScript file has no parameters to train: save the module "
                                + "before torch.jit.freeze turns them into constants");
    }

    @Test
    void saysWhatDoesNotFit() throws IOException {
        assertThatThrownBy(() -> Models.open("file:" + file, SHAPE, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "model file:"
                                + file
                                + " maps one sample to (1, 2) values instead of (1, 3)");
        assertThatThrownBy(() -> Models.open("file:" + file, new int[] {4, 2, 2}, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "model file:" + file + " does not take a batch of shape (1, 4, 2, 2): ");
        assertThatThrownBy(() -> Models.open("file:" + folder.resolve("none.pt"), SHAPE, 2))
                .hasMessage("model file:" + folder.resolve("none.pt") + " does not exist");
        Path text = Files.writeString(folder.resolve("text.pt"), "text");
        assertThatThrownBy(() -> Models.open("file:" + text, SHAPE, 2))
                .hasMessage(
                        "model file:"
                                + text
                                + " is not a TorchScript file (torch.jit.save writes one)");
    }
}
