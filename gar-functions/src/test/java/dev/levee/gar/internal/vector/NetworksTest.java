package dev.levee.gar.internal.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.internal.SortingNetwork;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

class NetworksTest {
    private static final int L = NetworkCode.LENGTH;

    @Test
    void codeMovesWantedRanksToTheirRows() {
        for (int rows = 1; rows <= NetworkCode.MOST_ROWS; rows++) {
            Random random = new Random(rows);
            for (int low = 0; low <= (rows - 1) / 2; low++) {
                int high = rows - 1 - low;
                check(SortingNetwork.of(rows, low, high), random, 1 + random.nextInt(3 * L));
            }
            int low = random.nextInt(rows);
            int high = low + random.nextInt(rows - low);
            check(SortingNetwork.of(rows, low, high), random, 2 * L);
        }
    }

    private static void check(SortingNetwork network, Random random, int columns) {
        int width = (columns + L - 1) / L * L;
        int most = random.nextBoolean() ? 3 : Integer.MAX_VALUE;
        int[][] keys = new int[network.rows()][];
        Arrays.setAll(keys, r -> random.ints(width).map(key -> key % most).toArray());
        int[][] sorted = new int[columns][];
        for (int c = 0; c < columns; c++) {
            int column = c;
            sorted[c] = Arrays.stream(keys).mapToInt(row -> row[column]).sorted().toArray();
        }
        NetworkCode.of(network).sort(keys, columns);
        for (int rank = network.low(); rank <= network.high(); rank++) {
            for (int c = 0; c < columns; c++) {
                assertThat(keys[rank][c])
                        .as("rank %d of %d, column %d", rank, network.rows(), c)
                        .isEqualTo(sorted[c][rank]);
            }
        }
    }

    @Test
    void networksWithMuchToDoGetCode() {
        Networks networks = new Networks();
        SortingNetwork network = SortingNetwork.of(5, 2, 2);
        assertThat(networks.code(network, 1000)).isNull();
        ColumnNetwork code = networks.code(network, 1 << 28);
        while (code == null) {
            LockSupport.parkNanos(1_000_000); // leaves the processor to the compiler
            code = networks.code(network, 1000);
        }
        check(network, new Random(1), 100);
        assertThat(networks.code(network, 1000)).isSameAs(code);
        assertThat(networks.code(SortingNetwork.of(33, 16, 16), Integer.MAX_VALUE)).isNull();
        assertThat(networks.code(SortingNetwork.of(1, 0, 0), Integer.MAX_VALUE)).isNull();
    }
}
