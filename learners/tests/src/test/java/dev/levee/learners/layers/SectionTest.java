package dev.levee.learners.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/** A network that is cut computes what it computes as a whole, bit for bit. */
@Tag("native")
class SectionTest {
    private static final int SAMPLES = 3;

    private static float[] noise(int length, long seed) {
        Random random = new Random(seed);
        float[] values = new float[length];
        IntStream.range(0, length).forEach(i -> values[i] = random.nextFloat());
        return values;
    }

    private static float[] through(Section section, float[] whole, float[] samples, int micro) {
        try (Forward forward = section.newForward(section.parameters(whole), micro)) {
            return forward.outputs(samples, SAMPLES);
        }
    }

    private static void cutBehind(String name, int[] shape, int... layers) {
        LayeredNetwork network = LayeredNetwork.open(name, shape, 10);
        float[] whole = network.initialParameters(1);
        float[] samples = noise(SAMPLES * shape[0] * shape[1] * shape[2], 2);
        float[] uncut = through(network.section(network.start(), network.end()), whole, samples, 2);

        for (int layer : layers) {
            float[] features = through(network.prefix(layer), whole, samples, 2);
            assertThat(through(network.suffix(layer), whole, features, 2))
                    .as("%s cut behind layer %d", name, layer)
                    .isEqualTo(uncut);
        }
    }

    @Test
    void cifarNetCutAnywhere() {
        cutBehind("cifarnet", new int[] {3, 32, 32}, IntStream.range(-1, 15).toArray());
    }

    @Test
    void resNet18CutAnywhere() {
        cutBehind("resnet18", new int[] {3, 32, 32}, IntStream.range(-1, 14).toArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"alexnet", "densenet121"})
    void largerOnesCutAtSomePlaces(String name) {
        cutBehind(name, new int[] {3, 64, 64}, 3, 7, 20);
    }

    /** Thirty lists of layers drawn at random, each cut at every place. */
    @Test
    void ownLayersCutAnywhere() {
        for (int seed = 0; seed < 30; seed++) {
            LayerList own = OwnLayers.draw(new Random(seed));
            cutBehind(own.name(), new int[] {3, 16, 16}, IntStream.range(-1, own.size()).toArray());
        }
    }

    @Test
    void aSampleHasTheSameFeaturesWhateverStandsBesideIt() {
        LayeredNetwork network = LayeredNetwork.open("cifarnet", new int[] {3, 32, 32}, 10);
        Section prefix = network.prefix(7);
        float[] parameters = prefix.parameters(network.initialParameters(1));
        float[] samples = noise(9 * 3 * 32 * 32, 5);

        try (Forward forward = prefix.newForward(parameters, 4)) {
            float[] all = forward.outputs(samples, 9);
            int one = 3 * 32 * 32;
            for (int i = 0; i < 9; i++) {
                float[] alone =
                        forward.outputs(Arrays.copyOfRange(samples, i * one, (i + 1) * one), 1);
                int length = alone.length;
                assertThat(alone).isEqualTo(Arrays.copyOfRange(all, i * length, (i + 1) * length));
            }
        }
    }

    @Test
    void refusesSamplesOfAnotherLength() {
        LayeredNetwork network = LayeredNetwork.open("cifarnet", new int[] {3, 32, 32}, 10);
        Section prefix = network.prefix(0);
        float[] parameters = prefix.parameters(network.initialParameters(1));
        try (Forward forward = prefix.newForward(parameters, 4)) {
            assertThatThrownBy(() -> forward.outputs(new float[100], 1))
                    .hasMessage("1 samples of 3072 values need 3072, got 100");
        }
    }
}
