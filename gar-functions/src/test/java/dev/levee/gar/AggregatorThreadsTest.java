package dev.levee.gar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.block.Blocks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.Random;

/** An aggregator gives the same bits with any number of threads. */
class AggregatorThreadsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "average",
                "median",
                "trimmed-mean",
                "meamed",
                "phocas",
                "multi-krum",
                "geometric-median",
                "centered-clipping",
                "nnm | median",
                "clip(2) | nnm | trimmed-mean"
            })
    void bitsDoNotDependOnThreads(String name) {
        for (int d : new int[] {1, 1000, 40_007, 2 * Blocks.SIZE + 4099}) {
            float[][] rows = Samples.normal(new Random(d), 9, d);
            Aggregator one = new Aggregator(Rules.parse(name), 2, 1);
            Aggregator three = new Aggregator(Rules.parse(name), 2, 1).threads(3);
            for (int round = 0; round < 2; round++) {
                float[] expected = one.aggregate(rows);
                assertThat(Arrays.mismatch(three.aggregate(rows), expected))
                        .as("first difference of %d coordinates, round %d", d, round)
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void noThreadsIsNoChoice() {
        Aggregator aggregator = new Aggregator(Rules.parse("median"), 1, 1);
        assertThatThrownBy(() -> aggregator.threads(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("threads must be at least 1, got 0");
    }
}
