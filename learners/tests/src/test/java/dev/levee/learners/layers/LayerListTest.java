package dev.levee.learners.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.learners.Segment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Random;

/** A user's own layers as words, without PyTorch. */
class LayerListTest {
    private static final int[] SHAPE = {3, 32, 32};

    @Test
    void hasTheTensorsOfTorchsSequential() {
        LayerList list =
                LayerList.parse(
                        """
                        conv(16, 3, 1, 1)  # as wide as before
                        batchnorm
                        relu; maxpool(2)
                        flatten
                        dense
                        """);

        LayeredNetwork network = LayeredNetwork.open(list.name(), SHAPE, 10);

        assertThat(list.text()).isEqualTo("conv(16,3,1,1);batchnorm;relu;maxpool(2);flatten;dense");
        assertThat(network.name()).isEqualTo("layers:" + list.text());
        assertThat(network.freezeIndex()).isEqualTo(4);
        assertThat(network.layout().segments())
                .extracting(Segment::name)
                .containsExactly(
                        "0.weight",
                        "0.bias",
                        "1.weight",
                        "1.bias",
                        "5.weight",
                        "5.bias",
                        "1.running_mean",
                        "1.running_var");
        assertThat(network.shape(network.after(3))).containsExactly(16, 16, 16);
        // What takes the most bytes lies behind a pool, and the flattening sends no fewer.
        assertThat(network.pushedDown(network.after(2))).isEqualTo(network.after(3));
        assertThat(network.prefix(3).layout().size() + network.suffix(3).layout().size())
                .isEqualTo(network.layout().size());
    }

    @Test
    void readsWhatItWrites() {
        for (int seed = 0; seed < 100; seed++) {
            LayerList own = OwnLayers.draw(new Random(seed));
            assertThat(LayerList.parse(own.text()).text())
                    .as("seed %d", seed)
                    .isEqualTo(own.text());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | a network needs 1 to 1000 layers, got 0",
                "relu; convv(3) | layer 1 must be one of conv, batchnorm, relu, tanh, leakyrelu,"
                        + " maxpool, avgpool, avggrid, dropout, flatten, dense, got convv(3)",
                "conv(3) | layer 0, conv(3): conv takes 2 to 4 numbers",
                "conv(0,3);flatten;dense | layer 0, conv(0,3): number 1 must be a whole "
                        + "number from 1 to 999999, got 0",
                "conv(8,3,-1);flatten;dense | layer 0, conv(8,3,-1): number 3 must be a "
                        + "whole number from 1 to 999999, got -1",
                "dropout(1);flatten;dense | layer 0, dropout(1): the number must be at least 0 and"
                        + " below 1, got 1",
                "maxpool(2,2,2);flatten;dense | layer 0, maxpool(2,2,2): padding must be at most half"
                        + " of the kernel",
                "conv(8,40);flatten;dense | layer 0 has windows of 40, but its input has an "
                        + "extent of 32",
                "dense | layer 0, dense: it takes a single row of values; put flatten before "
                        + "it",
                "flatten;relu | layer 1, relu: the last layer must be dense, because it has "
                        + "an output for each class",
                "flatten;dense(4) | layer 1, dense(4): the last layer has an output for "
                        + "each class: leave the number out",
                "flatten;dense;dense | layer 1, dense: only the last layer has an output for "
                        + "each class: give the number",
                "flatten;batchnorm;dense | layer 1, batchnorm: it takes (channels, height, width),"
                        + " got [3072]",
                "flatten;dense(999999);dense | layers:flatten;dense(999999);dense has more values"
                        + " than an array can hold",
            })
    void saysWhatIsWrong(String text, String sentence) {
        assertThatThrownBy(() -> LayeredNetwork.open("layers:" + text, SHAPE, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }
}
