package dev.levee.operators.rounds.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.operators.rounds.coding.CodedShuffle.Packet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

class CodedShuffleTest {
    private static BitSet rows(int... rows) {
        BitSet set = new BitSet();
        for (int row : rows) {
            set.set(row);
        }
        return set;
    }

    /** Each has what one other needs: 0 and 1 swap rows in one packet, 2 gets row 3 alone. */
    @Test
    void twoWorkersSwapRowsInOnePacket() {
        int[] next = {1, 0, 2, 2};
        List<BitSet> caches = List.of(rows(0, 3), rows(1), rows(2));
        List<Packet> packets = CodedShuffle.packets(next, caches);
        assertThat(packets)
                .containsExactlyInAnyOrder(
                        new Packet(Map.of(0, 1, 1, 0)), new Packet(Map.of(2, 3)));
        byte[][] contents = {{5, 1}, {3, 7}, {0, 0}, {9, 9}};
        Packet swap = new Packet(Map.of(0, 1, 1, 0));
        byte[] payload = swap.encode(row -> contents[row]);
        assertThat(payload).containsExactly(6, 6);
        assertThat(swap.decode(0, payload, row -> contents[row])).containsExactly(3, 7);
        assertThat(swap.decode(1, payload, row -> contents[row])).containsExactly(5, 1);
    }

    @ParameterizedTest
    @CsvSource({"2, 0.5", "4, 0.25", "4, 0.5", "5, 0.8"})
    void everybodyDecodesWhatItNeedsWithAsManyPacketsAsExpected(int workers, double cached) {
        int count = 100_000;
        SplittableRandom random = new SplittableRandom(workers);
        double others = (cached - 1.0 / workers) / (1 - 1.0 / workers);
        int[] next = new int[count];
        List<BitSet> caches = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            caches.add(new BitSet());
        }
        int needed = 0;
        for (int row = 0; row < count; row++) {
            int now = random.nextInt(workers);
            next[row] = random.nextInt(workers);
            for (int worker = 0; worker < workers; worker++) {
                caches.get(worker).set(row, worker == now || random.nextDouble() < others);
            }
            needed += caches.get(next[row]).get(row) ? 0 : 1;
        }
        List<Packet> packets = CodedShuffle.packets(next, caches);
        int decoded = 0;
        for (Packet packet : packets) {
            byte[] payload = packet.encode(CodedShuffleTest::contents);
            for (Map.Entry<Integer, Integer> each : packet.rows().entrySet()) {
                int worker = each.getKey();
                assertThat(next[each.getValue()]).isEqualTo(worker);
                assertThat(
                                packet.decode(
                                        worker,
                                        payload,
                                        row -> {
                                            assertThat(caches.get(worker).get(row)).isTrue();
                                            return contents(row);
                                        }))
                        .isEqualTo(contents(each.getValue()));
                decoded++;
            }
        }
        assertThat(decoded).isEqualTo(needed);
        double expected = CodedShuffle.cost(workers, cached, workers);
        assertThat((double) packets.size() / needed).isCloseTo(expected, within(0.1 * expected));
    }

    private static byte[] contents(int row) {
        return new byte[] {(byte) row, (byte) (row >> 8)};
    }

    /** Without multicast, γ is 1, and coding costs more than it saves. */
    @Test
    void codingPaysOnlyWherePacketsToAllAreCheap() {
        assertThat(CodedShuffle.cost(2, 0.5, 1)).isEqualTo(1);
        assertThat(CodedShuffle.cost(4, 0.25, 1)).isEqualTo(2);
        assertThat(CodedShuffle.cost(4, 1, 4)).isCloseTo(0.25, within(1e-12));
        assertThat(CodedShuffle.cost(20, 0.5, 1)).isGreaterThan(1);
        assertThat(CodedShuffle.cost(20, 0.5, 20)).isCloseTo(1 / (20 * 0.55), within(0.01));
        assertThat(CodedShuffle.cost(5000, 0.999, 5000)).isCloseTo(1.0 / 5000, within(1e-6));
        assertThatThrownBy(() -> CodedShuffle.cost(4, 0.1, 1))
                .hasMessageContaining("1/n to all of the rows, got 4 and 0.1");
    }
}
