package dev.levee.learners.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Arrays;

@Tag("native")
class FeatureFileTest {
    private static final int[] IMAGE = {1, 28, 28};
    private static final int PIXELS = 784;

    private static String file(String name) {
        return Path.of("src/test/resources/torch", name).toAbsolutePath().toString();
    }

    private static float[] images(int from, int to) {
        float[] values = new float[(to - from) * PIXELS];
        for (int i = 0; i < values.length; i++) {
            int image = from + i / PIXELS;
            values[i] = (i % PIXELS * 7 + image * 13) % 11 / 10f;
        }
        return values;
    }

    /** The numbers are those of torch 1.13. */
    @Test
    void featuresAreWhatTorchMakesOfImages() {
        FeatureFile file = FeatureFile.of(file("perceptron.pt"), IMAGE);
        assertThat(file.name()).isEqualTo("perceptron.pt");
        try (Forward features = file.newFeatures()) {
            float[] three = features.outputs(images(0, 3), 3);
            assertThat(three).hasSize(30);
            assertThat(three[0]).isCloseTo(-0.162636f, within(1e-5f));
            assertThat(three[1]).isCloseTo(-0.308979f, within(1e-5f));
            assertThat(three[20]).isCloseTo(-0.227679f, within(1e-5f));
            assertThat(three[21]).isCloseTo(-0.127741f, within(1e-5f));
        }
    }

    @Test
    void anImageHasTheSameFeaturesInAnyCompany() {
        try (Forward features = FeatureFile.of(file("convolution.pt"), IMAGE).newFeatures()) {
            float[] many = features.outputs(images(0, 70), 70);
            assertThat(features.outputs(images(69, 70), 1))
                    .isEqualTo(Arrays.copyOfRange(many, 690, 700));
        }
    }

    @Test
    void refusesWhatHasNoFeaturesOfTheseImages() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FeatureFile.of(file("noisy.pt"), IMAGE))
                .withMessageEndingWith(
                        "noisy.pt maps samples of shape (64, 1, 28, 28) to values of shape (64)"
                                + " instead of one vector each");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FeatureFile.of(file("perceptron.pt"), new int[] {3, 8, 8}))
                .withMessageContaining("does not take samples of shape (64, 3, 8, 8)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FeatureFile.of(file("state-dict.pt"), IMAGE))
                .withMessageContaining("is a state_dict");
    }
}
