package dev.levee.learners.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** Layers, shapes and parameters are the published ones, without PyTorch. */
class LayeredNetworkTest {
    private static final int[] PHOTO = {3, 224, 224};

    @ParameterizedTest
    @CsvSource({
        "alexnet, 22, 17, 61100840",
        "resnet18, 14, 11, 11689512",
        "resnet50, 22, 20, 25557032",
        "vgg11, 28, 25, 132863336",
        "vgg19, 45, 36, 143667240",
        "densenet121, 22, 20, 7978856",
    })
    void hasThePublishedLayersAndParameters(String name, int layers, int freeze, long parameters) {
        LayeredNetwork network = LayeredNetwork.open(name, PHOTO, 1000);

        assertThat(network.size()).isEqualTo(layers);
        assertThat(network.freezeIndex()).isEqualTo(freeze);
        assertThat(network.layout().trainable()).isEqualTo((int) parameters);
        assertThat(network.layers().stream().mapToLong(LayerSummary::parameters).sum())
                .isEqualTo(parameters);
        assertThat(network.layers().get(layers - 1).shape()).containsExactly(1000);
    }

    @ParameterizedTest
    @CsvSource({
        "alexnet, 5, 129792",
        "alexnet, 12, 36864",
        "alexnet, 13, 36864",
        "alexnet, 17, 16384",
        "resnet18, 11, 100352",
        "resnet18, 12, 2048",
        "resnet50, 20, 8192",
        "vgg11, 20, 100352",
        "vgg11, 21, 16384",
        "vgg19, 36, 100352",
        "densenet121, 3, 802816",
        "densenet121, 20, 200704",
        "densenet121, 21, 4000",
    })
    void sendsThisManyBytesBehindALayer(String name, int layer, long bytes) {
        LayeredNetwork network = LayeredNetwork.open(name, PHOTO, 1000);

        assertThat(network.bytes(network.after(layer))).isEqualTo(bytes);
        assertThat(network.layers().get(layer).bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "resnet18, 12, 2048",
        "densenet121, 20, 4096",
        "alexnet, 17, 16384",
        "vgg11, 25, 16384",
        "vgg19, 36, 100352",
    })
    void pushesDownWhatHasNeitherParametersNorChance(String name, int layer, long bytes) {
        LayeredNetwork network = LayeredNetwork.open(name, PHOTO, 1000);

        Cut pushed = network.pushedDown(network.after(network.freezeIndex()));

        assertThat(pushed.layer()).isEqualTo(layer);
        assertThat(network.bytes(pushed)).isEqualTo(bytes);
    }

    @Test
    void cutsTheParametersOfEachSideOutOfTheWhole() {
        LayeredNetwork network = LayeredNetwork.open("cifarnet", new int[] {3, 32, 32}, 10);
        float[] whole = network.initialParameters(3);

        Section prefix = network.prefix(7);
        Section suffix = network.suffix(7);

        float[] first = prefix.parameters(whole);
        float[] second = suffix.parameters(whole);
        assertThat(first.length + second.length).isEqualTo(whole.length);
        assertThat(first).startsWith(whole[0], whole[1]);
        assertThat(second).endsWith(whole[whole.length - 1]);
        assertThat(suffix.input()).containsExactly(prefix.output());
        assertThat(suffix.model().layout().size()).isEqualTo(suffix.layout().size());
    }

    @Test
    void saysWhatItDoesNotKnow() {
        assertThatThrownBy(() -> LayeredNetwork.open("alexnet2", PHOTO, 10))
                .hasMessage(
                        "unknown network alexnet2: there are "
                                + String.join(", ", LayeredNetwork.names()));
        LayeredNetwork network = LayeredNetwork.open("resnet18", PHOTO, 10);
        assertThatThrownBy(() -> network.after(14))
                .hasMessage("resnet18 has the layers 0 to 13, got 14");
        assertThatThrownBy(() -> network.prefix(3).model())
                .hasMessage(
                        "only the last section of resnet18 with trained layers makes a " + "model");
        assertThat(List.of(network.start(), network.end()))
                .containsExactly(new Cut(-1, 0), new Cut(13, 14));
    }
}
