package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.Arrays;

/** A generator and a discriminator that torch wrote; {@code torch/make_gan.py} says how. */
@Tag("native")
class ScriptedPairTest {
    private static final int[] IMAGE = {1, 28, 28};
    private static final String PAIR = "generator.pt,discriminator=discriminator.pt,latent=4";

    private final Samples samples = Samples.of(IMAGE, 4, 12, 3);

    private static GenerativeModel files(String options) {
        String folder = Path.of("src/test/resources/torch").toAbsolutePath() + "/";
        return (GenerativeModel)
                Models.open(
                        "files:generator="
                                + folder
                                + options.replace("discriminator=", "discriminator=" + folder),
                        IMAGE,
                        10);
    }

    private static GenerativeModel builtIn() {
        return (GenerativeModel) Models.open("upsample-dcgan:width=4,latent=4", IMAGE, 10);
    }

    /**
     * The built-in pair, whose gradients plain loops confirm. The tolerance is a few roundings of
     * float32: torch's kernels are the same, but its graph sums biases in another place.
     */
    @ParameterizedTest
    @CsvSource({"squares", "cross-entropy"})
    void isTheBuiltInPairOfTheSameLayers(String loss) {
        GenerativeModel own = files(PAIR + ",loss=" + loss);
        GenerativeModel other =
                (GenerativeModel)
                        Models.open("upsample-dcgan:width=4,latent=4,loss=" + loss, IMAGE, 10);
        assertThat(own.layout().segments())
                .extracting(Segment::name)
                .containsExactlyElementsOf(
                        other.layout().segments().stream().map(Segment::name).toList());
        float[] parameters = other.initialParameters(3);
        try (Learner scripts = own.newLearner();
                Learner layers = other.newLearner()) {
            for (int step = 0; step < 3; step++) {
                Gradient expected = layers.gradient(parameters, samples.all(), step);
                Gradient gradient = scripts.gradient(parameters, samples.all(), step);
                assertThat(gradient.loss()).isCloseTo(expected.loss(), within(1e-6));
                assertThat(gradient.values()).containsExactly(expected.values(), within(1e-6f));
                parameters = parameters.clone();
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] =
                            i < own.layout().trainable()
                                    ? parameters[i] - 0.1f * expected.values()[i]
                                    : expected.values()[i];
                }
            }
            assertThat(scripts.evaluate(parameters, samples).loss())
                    .isCloseTo(layers.evaluate(parameters, samples).loss(), within(1e-6));
        }
        assertThat(own.generate(parameters, 5, 9))
                .containsExactly(other.generate(parameters, 5, 9), within(1e-6f));
    }

    @Test
    void startsFromWhatIsInTheFiles() {
        GenerativeModel own = files(PAIR);
        float[] values = own.initialParameters(1);
        assertThat(values).isEqualTo(own.initialParameters(2));
        assertThat(values)
                .hasSize(own.layout().size())
                .isNotEqualTo(builtIn().initialParameters(1));
        // Running variances are 1 where nothing has run.
        assertThat(values[values.length - 1]).isEqualTo(1);
    }

    @Test
    void anImageDoesNotDependOnHowManyAreAskedFor() {
        GenerativeModel own = files(PAIR);
        float[] parameters = own.initialParameters(0);
        float[] many = own.generate(parameters, 70, 9);
        assertThat(many).hasSize(70 * 784);
        assertThat(own.generate(parameters, 3, 9)).isEqualTo(Arrays.copyOf(many, 3 * 784));
    }

    /** One module of it draws, so another seed has another gradient, and the same one the same. */
    @Test
    void gradientsAreAFunctionOfTheSeed() {
        GenerativeModel own = files("generator.pt,discriminator=noisy.pt,latent=4");
        float[] parameters = own.initialParameters(0);
        try (Learner learner = own.newLearner();
                Learner other = own.newLearner()) {
            float[] first = learner.gradient(parameters, samples.all(), 1).values();
            assertThat(learner.gradient(parameters, samples.all(), 2).values()).isNotEqualTo(first);
            assertThat(learner.gradient(parameters, samples.all(), 1).values()).isEqualTo(first);
            assertThat(other.gradient(parameters, samples.all(), 1).values()).isEqualTo(first);
        }
    }

    @Test
    void saysWhatDoesNotFit() {
        assertThatThrownBy(() -> files("generator.pt,discriminator=discriminator.pt"))
                .hasMessageMatching(
                        "the generator file:.*generator.pt does not take values of shape \\(1, 100\\): .*");
        assertThatThrownBy(() -> files("discriminator.pt,discriminator=generator.pt,latent=4"))
                .hasMessageContaining("does not take values of shape (1, 4)");
        assertThatThrownBy(() -> files("generator.pt,discriminator=generator.pt,latent=4"))
                .hasMessageContaining("does not take values of shape (1, 1, 28, 28)");
        assertThatThrownBy(() -> files("generator.pt,latent=4"))
                .hasMessage(
                        "files: lacks the TorchScript file of the discriminator: write"
                                + " discriminator=PATH");
        assertThatThrownBy(() -> files("state-dict.pt,discriminator=discriminator.pt,latent=4"))
                .hasMessageContaining("state_dict");
        assertThatThrownBy(
                        () ->
                                Models.open(
                                        "files:generator=a.pt,discriminator=b.pt",
                                        new int[] {7},
                                        2))
                .hasMessage(
                        "files: makes images (channels, height, width), but the data set has "
                                + "samples of shape [7]");
    }
}
