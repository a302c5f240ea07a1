package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;

/** What models know without native libraries. */
class ModelsTest {
    private static final int[] DIGITS = {1, 28, 28};
    private static final int[] IMAGES = {3, 32, 32};

    @ParameterizedTest
    @CsvSource({
        "mnist-cnn, 10, 79510, 0",
        "lenet, 10, 61706, 0",
        "cifarnet, 10, 1756426, 0",
        "resnet18, 10, 11181642, 9600",
        "resnet18, 1000, 11689512, 9600",
        "resnet50, 10, 23528522, 53120",
        "resnet50, 1000, 25557032, 53120",
        "densenet121, 10, 6964106, 83648"
    })
    void countsParameters(String name, int classes, int trainable, int buffers) {
        Layout layout =
                Models.open(
                                name,
                                name.equals("mnist-cnn") || name.equals("lenet") ? DIGITS : IMAGES,
                                classes)
                        .layout();
        assertThat(layout.trainable()).isEqualTo(trainable);
        assertThat(layout.size()).isEqualTo(trainable + buffers);
    }

    @Test
    void namesTensorsAsTheirSourcesDo() {
        assertThat(Models.open("cifarnet", IMAGES, 10).layout().segments())
                .extracting(Segment::name)
                .containsExactly(
                        "conv1.weight",
                        "conv1.bias",
                        "conv2.weight",
                        "conv2.bias",
                        "fc3.weight",
                        "fc3.bias",
                        "fc4.weight",
                        "fc4.bias",
                        "logits.weight",
                        "logits.bias");
        assertThat(Models.open("resnet18", IMAGES, 10).layout().segments())
                .extracting(Segment::name)
                .contains("layer2.0.downsample.1.running_var", "layer4.1.bn2.weight");
    }

    @Test
    void initialParametersAreAFunctionOfTheSeed() {
        Model model = Models.open("cifarnet", IMAGES, 10);
        assertThat(model.initialParameters(1)).isEqualTo(model.initialParameters(1));
        assertThat(model.initialParameters(1)).isNotEqualTo(model.initialParameters(2));
    }

    @Test
    void initialParametersHaveTheMomentsOfTheirDistributions() {
        Model model = Models.open("cifarnet", IMAGES, 10);
        float[] values = model.initialParameters(3);
        for (Segment segment : model.layout().segments()) {
            double mean = 0;
            double square = 0;
            double largest = 0;
            for (int i = 0; i < segment.length(); i++) {
                double value = values[segment.offset() + i];
                mean += value / segment.length();
                square += value * value / segment.length();
                largest = Math.max(largest, Math.abs(value));
            }
            // Cut at two deviations, a normal keeps 0.8796 of its deviation.
            if (segment.name().equals("fc3.weight")) {
                assertThat(mean).isBetween(-2e-4, 2e-4);
                assertThat(Math.sqrt(square)).isBetween(0.0351, 0.0353);
                assertThat(largest).isBetween(0.0799, 0.08);
            } else if (segment.name().equals("fc3.bias")) {
                assertThat(mean).isBetween(0.0999, 0.1001);
                assertThat(largest).isEqualTo(0.1f);
            }
        }
    }

    @Test
    void isSmallWhenSerialized() throws IOException, ClassNotFoundException {
        Model model = Models.open("resnet50", IMAGES, 10);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(model);
        }
        assertThat(bytes.size()).isLessThan(64 * 1024);
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Model copy = (Model) in.readObject();
            assertThat(copy.layout().size()).isEqualTo(model.layout().size());
        }
    }

    @Test
    void saysWhichSamplesAModelTakes() {
        assertThatThrownBy(() -> Models.open("cifarnet", DIGITS, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cifarnet takes (3, 32, 32) samples, the data set has (1, 28, 28)");
        assertThatThrownBy(() -> Models.open("mnist-cnn", IMAGES, 10))
                .hasMessage("mnist-cnn takes (1, 28, 28) samples, the data set has (3, 32, 32)");
        assertThatThrownBy(() -> Models.open("resnet50", new int[] {3, 16, 64}, 10))
                .hasMessage(
                        "resnet50 takes (3, H, W) with H, W ≥ 32 samples, the data set has (3, 16,"
                                + " 64)");
        assertThatThrownBy(() -> Models.open("logistic", DIGITS, 1))
                .hasMessage("a model needs at least 2 classes, but the data set has 1");
    }

    @Test
    void listsWhatIsKnown() {
        assertThatThrownBy(() -> Models.open("vgg", DIGITS, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "unknown model vgg: it must be alexnet, cifarnet,"
                                + " constant:CLASS, densenet121, file:PATH,"
                                + " files:generator=PATH,discriminator=PATH,"
                                + " histogram:feature=I,low=A,high=B,bins=N, layers:LIST, lenet,"
                                + " logistic, lsgan, mnist-cnn, python:PATH, resnet18, resnet50,"
                                + " suffix:NETWORK?layer=K&size=S,"
                                + " upsample-dcgan, vgg11 or vgg19");
        assertThatThrownBy(() -> Models.open("net.pt", DIGITS, 10))
                .hasMessage("unknown model net.pt: a TorchScript file is given as file:net.pt");
        assertThatThrownBy(() -> Models.open("./net.py", DIGITS, 10))
                .hasMessage("unknown model ./net.py: a Python file is given as python:./net.py");
        assertThatThrownBy(() -> Models.open("logistic:3", DIGITS, 10))
                .hasMessage("the model logistic takes no suffix, got logistic:3");
        assertThatThrownBy(() -> Models.open("suffix:resnet18?layer=9&layer=11", IMAGES, 10))
                .hasMessage("the model suffix: has the option layer twice: layer=9&layer=11");
        assertThatThrownBy(() -> Models.open("file:", DIGITS, 10))
                .hasMessage(
                        "the model file: lacks the path of a TorchScript file: write file:PATH");
    }

    @Test
    void aModelFromOutsideIsKnownByName() {
        Model model = Models.open("constant:7", DIGITS, 10);
        assertThat(model.name()).isEqualTo("constant:7");
        try (Learner learner = model.newLearner()) {
            Samples samples = Samples.of(DIGITS, 10, 50, 1);
            double share = 0;
            for (int i = 0; i < samples.size(); i++) {
                share += samples.label(i) == 7 ? 1.0 / samples.size() : 0;
            }
            Evaluation evaluation = learner.evaluate(model.initialParameters(1), samples);
            assertThat(evaluation.accuracy()).isCloseTo(share, within(1e-9));
        }
        assertThatThrownBy(() -> Models.open("constant:10", DIGITS, 10))
                .hasMessage("constant:10 is no class: it must be 0 to 9");
    }

    /** A range of what training starts from is made alone. */
    @Test
    void rangesOfInitialValuesHaveTheirBits() {
        for (String name : new String[] {"resnet18", "layers:flatten;dense(7);relu;dense"}) {
            Model model = Models.open(name, new int[] {3, 32, 32}, 10);
            float[] all = model.initialParameters(5);
            FlatVector ranges = model.initial(5);
            assertThat(ranges.size()).isEqualTo(all.length);
            for (int from = 0; from < all.length; from += 9999) {
                int length = Math.min(9999, all.length - from);
                assertThat(ranges.range(from, length))
                        .as(name)
                        .isEqualTo(Arrays.copyOfRange(all, from, from + length));
            }
        }
    }

    /** 3072 · 7 + 7 and 7 · 10 + 10. */
    @Test
    void layersOfOnesOwn() {
        Model model =
                Models.open("layers:flatten; dense(7); relu; dense", new int[] {3, 32, 32}, 10);
        assertThat(model.layout().size()).isEqualTo(21_511 + 80);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Models.open("layers:flatten;relu", new int[] {3, 32, 32}, 10))
                .withMessageContaining("the last layer must be dense");
    }
}
