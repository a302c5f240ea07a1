package dev.levee.operators.rounds.securesum;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.stream.IntStream;

class NeighborGraphTest {
    @Test
    void eachHasAsManyNeighborsAndIsOneOfThem() {
        for (int degree : new int[] {2, 6, 10, 20}) {
            NeighborGraph graph = new NeighborGraph(new byte[] {(byte) degree}, 21, degree);
            for (int i = 0; i < 21; i++) {
                int device = i;
                int[] neighbors = graph.of(i);
                assertThat(neighbors).hasSize(degree).doesNotHaveDuplicates().isSorted();
                assertThat(neighbors).doesNotContain(i);
                for (int neighbor : neighbors) {
                    assertThat(Arrays.binarySearch(graph.of(neighbor), device)).isNotNegative();
                }
            }
        }
    }

    @Test
    void anotherSeedIsAnotherOrder() {
        assertThat(neighbors(1)).isEqualTo(neighbors(1));
        assertThat(neighbors(1)).isNotEqualTo(neighbors(2));
    }

    private static int[][] neighbors(int seed) {
        NeighborGraph graph = new NeighborGraph(new byte[] {(byte) seed}, 30, 4);
        return IntStream.range(0, 30).mapToObj(graph::of).toArray(int[][]::new);
    }
}
