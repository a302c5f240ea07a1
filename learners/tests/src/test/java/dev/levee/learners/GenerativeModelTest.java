package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;

class GenerativeModelTest {
    private static final int[] SMALL = {1, 8, 8};

    private static GenerativeModel open(String name, int... image) {
        return (GenerativeModel) Models.open(name, image, 10);
    }

    /** The numbers that FeGAN's thesis has for the images of its experiments. */
    @Test
    void lsganHasTheParametersOfTheThesis() {
        GenerativeModel model = open("lsgan", 1, 32, 32);
        assertThat(model.latent()).isEqualTo(100);
        assertThat(model.generator().trained()).isEqualTo(1_049_729);
        assertThat(model.discriminator().trained()).isEqualTo(98_113);
        assertThat(model.generator().buffers()).isEqualTo(2 * (128 + 64));
        assertThat(model.discriminator().buffers()).isEqualTo(2 * (32 + 64 + 128));
        assertThat(model.layout().size()).isEqualTo(1_049_729 + 98_113 + 2 * 416);
    }

    @ParameterizedTest
    @CsvSource({"lsgan, 28", "lsgan, 64", "upsample-dcgan, 28", "upsample-dcgan, 32"})
    void bothNetworksShareOneVector(String name, int extent) {
        GenerativeModel model = open(name, 3, extent, extent);
        NetworkRange generator = model.generator();
        NetworkRange discriminator = model.discriminator();
        assertThat(generator.from()).isZero();
        assertThat(discriminator.from()).isEqualTo(generator.trained());
        assertThat(discriminator.from() + discriminator.trained())
                .isEqualTo(model.layout().trainable());
        assertThat(model.layout().size())
                .isEqualTo(
                        model.layout().trainable() + generator.buffers() + discriminator.buffers());
        assertThat(model.initialParameters(7)).isEqualTo(model.initialParameters(7));
        assertThat(model.initialParameters(7)).isNotEqualTo(model.initialParameters(8));
    }

    @Test
    void saysWhatItDoesNotTake() {
        assertThatThrownBy(() -> open("lsgan", 784))
                .hasMessage(
                        "lsgan takes (1, N, N) or (3, N, N) with N ≥ 8 a multiple of 4 samples, the"
                                + " data set has (784)");
        assertThatThrownBy(() -> open("lsgan:width=12", 1, 28, 28))
                .hasMessage("lsgan: width must be a multiple of 8, got 12");
        assertThatThrownBy(() -> open("lsgan:depth=3", 1, 28, 28))
                .hasMessage(
                        "lsgan takes width=N, latent=N and loss=squares or cross-entropy, got"
                                + " depth=3");
        assertThatThrownBy(() -> open("upsample-dcgan:latent=none", 1, 28, 28))
                .hasMessage(
                        "upsample-dcgan: latent must be a whole number of at least 1, got none");
        assertThatThrownBy(() -> open("lsgan:loss=hinge", 1, 28, 28))
                .hasMessage("lsgan: loss must be squares or cross-entropy, got hinge");
    }

    /** Steps of one length along signs; what is real is one image, so it is soon found. */
    @Tag("native")
    @Test
    void learnsToMakeWhatIsReal() {
        GenerativeModel model = open("upsample-dcgan:width=4,latent=4", SMALL);
        float[] image = new float[64];
        for (int i = 0; i < image.length; i++) {
            image[i] = i % 8 < 4 ? 0.9f : 0.1f;
        }
        float[] copies = new float[16 * 64];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = image[i % 64];
        }
        Samples samples = new Samples(SMALL, 2, copies, new int[16]);
        float[] parameters = model.initialParameters(3);
        int trainable = model.layout().trainable();
        double before = distance(model.generate(parameters, 32, 5), image);
        try (Learner learner = model.newLearner()) {
            for (int step = 0; step < 150; step++) {
                float[] gradient = learner.gradient(parameters, samples.all(), step).values();
                parameters = parameters.clone();
                for (int i = 0; i < trainable; i++) {
                    parameters[i] -= 0.004f * Math.signum(gradient[i]);
                }
                System.arraycopy(
                        gradient, trainable, parameters, trainable, gradient.length - trainable);
            }
            Evaluation evaluation = learner.evaluate(parameters, samples);
            assertThat(evaluation.loss()).isFinite();
            assertThat(evaluation.accuracy()).isNaN();
        }
        assertThat(distance(model.generate(parameters, 32, 5), image)).isLessThan(before / 2);
    }

    private static double distance(float[] images, float[] image) {
        double sum = 0;
        for (int i = 0; i < images.length; i++) {
            sum += Math.abs(images[i] - image[i % image.length]);
        }
        return sum / images.length;
    }

    @Tag("native")
    @Test
    void anImageDoesNotDependOnHowManyAreAskedFor() {
        GenerativeModel model = open("lsgan:width=8,latent=4", SMALL);
        float[] parameters = model.initialParameters(3);
        float[] many = model.generate(parameters, 70, 9);
        assertThat(many).hasSize(70 * 64);
        assertThat(model.generate(parameters, 3, 9)).isEqualTo(Arrays.copyOf(many, 3 * 64));
        assertThat(model.generate(parameters, 3, 10)).isNotEqualTo(Arrays.copyOf(many, 3 * 64));
        for (float pixel : many) {
            assertThat(pixel).isBetween(0f, 1f);
        }
    }

    @Tag("native")
    @Test
    void gradientsAreAFunctionOfTheSeed() {
        GenerativeModel model = open("lsgan:width=8,latent=4", SMALL);
        Samples samples = Samples.of(SMALL, 4, 12, 3);
        float[] parameters = model.initialParameters(3);
        Gradient gradient;
        try (Learner learner = model.newLearner()) {
            gradient = learner.gradient(parameters, samples.all(), 1);
            assertThat(learner.gradient(parameters, samples.all(), 2).values())
                    .isNotEqualTo(gradient.values());
        }
        try (Learner other = model.newLearner()) {
            Gradient again = other.gradient(parameters, samples.all(), 1);
            assertThat(again.values()).isEqualTo(gradient.values());
            assertThat(again.loss()).isEqualTo(gradient.loss());
        }
    }
}
