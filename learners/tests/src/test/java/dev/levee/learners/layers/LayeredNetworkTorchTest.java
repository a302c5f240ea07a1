package dev.levee.learners.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Networks compute what torch computes; {@code torch/networks.py} says how it was asked. */
@Tag("native")
class LayeredNetworkTorchTest {
    private static final int SIDE = 64;

    private static float[] logits(String name) {
        LayeredNetwork network = LayeredNetwork.open(name, new int[] {3, SIDE, SIDE}, 10);
        Section all = network.section(network.start(), network.end());
        float[] picture = new float[3 * SIDE * SIDE];
        for (int i = 0; i < picture.length; i++) {
            picture[i] = i * 37 % 101 / 101f;
        }
        try (Forward forward = all.newForward(all.parameters(network.initialParameters(1)), 1)) {
            return forward.outputs(picture, 1);
        }
    }

    @Test
    void alexNet() {
        float[] torchs = {
            -0.0087522455f, -0.0101913894f, 0.0089032855f, -0.0125355478f, 0.0049804393f,
            -0.0054329890f, -0.0084811896f, 0.0051474082f, 0.0055254344f, 0.0121137742f
        };
        assertThat(logits("alexnet")).containsExactly(torchs, within(1e-6f));
    }

    @Test
    void resNet18() {
        float[] torchs = {
            0.8623765707f, 0.0013033897f, -0.6078659892f, 0.7670186758f, -0.1302955598f,
            -0.2556090057f, 0.4589086473f, 0.2584477961f, -0.2434654087f, 0.5582517385f
        };
        assertThat(logits("resnet18")).containsExactly(torchs, within(1e-5f));
    }

    @Test
    void denseNet121() {
        float[] torchs = {
            -0.1292314231f, 0.1979358792f, 0.2599727809f, -0.1741152257f, -0.2630580366f,
            0.2648047507f, 0.0175686479f, -0.2656134963f, -0.0989179015f, -0.2391141355f
        };
        assertThat(logits("densenet121")).containsExactly(torchs, within(1e-5f));
    }
}
