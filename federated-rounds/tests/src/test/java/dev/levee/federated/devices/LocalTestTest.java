package dev.levee.federated.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.Partition;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.stream.IntStream;

class LocalTestTest {
    private static final int[] LABELS = new int[100];

    @Test
    void whatIsHeldOutIsTheRestOfTheShare() {
        Partition dealt = Partition.parse("iid");
        LocalTest test = new LocalTest(dealt, 0.2);
        int[][] all = dealt.deal(LABELS, 1, 4, 7);
        int[][] trained = test.deal(LABELS, 1, 4, 7);
        int[][] held = test.heldOut(LABELS, 1, 4, 7);
        for (int worker = 0; worker < 4; worker++) {
            assertThat(held[worker]).hasSize(5);
            assertThat(
                            IntStream.concat(
                                            Arrays.stream(trained[worker]),
                                            Arrays.stream(held[worker]))
                                    .sorted()
                                    .toArray())
                    .isEqualTo(Arrays.stream(all[worker]).sorted().toArray());
        }
        assertThat(test.heldOut(LABELS, 1, 4, 7)).isDeepEqualTo(held);
        assertThat(test.heldOut(LABELS, 1, 4, 8)).isNotEqualTo(held);
        assertThat(dealt.heldOut(LABELS, 1, 4, 7)).isDeepEqualTo(new int[4][0]);
    }

    @Test
    void aWorkerKeepsASampleToTrainOn() {
        LocalTest most = new LocalTest(Partition.parse("iid"), 0.9);
        assertThat(most.deal(new int[2], 1, 2, 7)).hasDimensions(2, 1);
        assertThat(most.heldOut(new int[2], 1, 2, 7)).hasDimensions(2, 0);
    }

    @Test
    void aShareOfAllIsRefused() {
        assertThatThrownBy(() -> new LocalTest(Partition.parse("iid"), 1))
                .hasMessage(
                        "a share of samples for local tests must be above 0 and below 1, got 1.0");
    }
}
