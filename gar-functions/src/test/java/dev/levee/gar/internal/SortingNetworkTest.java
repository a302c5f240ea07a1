package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

class SortingNetworkTest {
    /**
     * A network that sorts every row of zeros and ones sorts everything (Knuth's 0-1 principle).
     */
    @Test
    void sortsAllZerosAndOnes() {
        for (int n = 1; n <= 14; n++) {
            for (int low = 0; low < n; low++) {
                int high = n - 1 - low;
                if (low <= high) {
                    int[] comparators = SortingNetwork.forRanks(n, low, high);
                    int[][] steps = SortingNetwork.squares(n, comparators);
                    assertThat(Arrays.stream(steps).mapToInt(s -> s.length == 2 ? 1 : 4).sum())
                            .isEqualTo(comparators.length / 2);
                    for (int bits = 0; bits < 1 << n; bits++) {
                        check(n, low, high, steps, bits);
                    }
                }
            }
        }
    }

    private static void check(int n, int low, int high, int[][] steps, int bits) {
        int[] values = new int[n];
        for (int i = 0; i < n; i++) {
            values[i] = bits >> i & 1;
        }
        for (int[] s : steps) {
            exchange(values, s[0], s[1]);
            if (s.length == 4) {
                exchange(values, s[2], s[3]);
                exchange(values, s[0], s[2]);
                exchange(values, s[1], s[3]);
            }
        }
        int zeros = n - Integer.bitCount(bits);
        for (int rank = low; rank <= high; rank++) {
            if (values[rank] != (rank < zeros ? 0 : 1)) {
                throw new AssertionError(
                        "rank " + rank + " of " + n + " is wrong for " + Integer.toString(bits, 2));
            }
        }
    }

    private static void exchange(int[] values, int low, int high) {
        int smaller = Math.min(values[low], values[high]);
        values[high] = Math.max(values[low], values[high]);
        values[low] = smaller;
    }

    /** Finding a median takes fewer comparators than sorting. */
    @Test
    void leavesOutWhatTheRanksDoNotDependOn() {
        assertThat(SortingNetwork.forRanks(1, 0, 0)).isEmpty();
        assertThat(SortingNetwork.forRanks(2, 0, 1)).containsExactly(0, 1);
        assertThat(SortingNetwork.forRanks(16, 0, 15)).hasSize(2 * 63);
        assertThat(SortingNetwork.forRanks(25, 12, 12).length)
                .isLessThan(SortingNetwork.forRanks(25, 0, 24).length);
    }
}
