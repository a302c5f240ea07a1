package dev.levee.operators.flink.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

class EvenKeysTest {
    private static int[] perSubtask(int[] keys, int count, int parallelism) {
        int[] load = new int[parallelism];
        for (int id = 0; id < count; id++) {
            load[KeyGroupRangeAssignment.assignKeyToParallelOperator(keys[id], 256, parallelism)]++;
        }
        return load;
    }

    @Test
    void everyParallelismHasEqualShares() {
        for (int parallelism = 1; parallelism <= 16; parallelism++) {
            int[] load = perSubtask(EvenKeys.of(48, 256), 48, parallelism);
            assertThat(Arrays.stream(load).max().orElseThrow())
                    .isLessThanOrEqualTo(48 / parallelism + 1);
        }
    }

    /** Shards are numbered server by server: so a TaskManager of one slot has one replica's. */
    @Test
    void serversShareNoSubtaskWhereThereIsAMultipleOfThem() {
        for (int servers = 2; servers <= 7; servers++) {
            int most = 128 / (servers - 1);
            for (int blocks = 1; blocks <= most; blocks++) {
                int[] keys = EvenKeys.of(servers * blocks, 256);
                for (int each = 1; each <= 4; each++) {
                    int parallelism = servers * each;
                    for (int shard = 0; shard < keys.length; shard++) {
                        int subtask =
                                KeyGroupRangeAssignment.assignKeyToParallelOperator(
                                        keys[shard], 256, parallelism);
                        assertThat(subtask / each)
                                .as("%d servers of %d blocks at %d", servers, blocks, parallelism)
                                .isEqualTo(shard / blocks);
                    }
                }
            }
        }
    }

    @Test
    void workersThatComeWithSubtasksHaveOneEach() {
        int[] keys = EvenKeys.growing(100, 256);
        assertThat(Arrays.stream(keys).distinct().count()).isEqualTo(100);
        for (int parallelism = 1; parallelism <= 17; parallelism++) {
            assertThat(perSubtask(keys, parallelism, parallelism)).containsOnly(1);
        }
        for (int parallelism = 18; parallelism <= 100; parallelism++) {
            int[] load = perSubtask(keys, parallelism, parallelism);
            assertThat(Arrays.stream(load).max().orElseThrow()).isLessThanOrEqualTo(3);
        }
    }
}
