package dev.levee.operators.flink.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.learners.FlatVector;
import dev.levee.operators.flink.internal.runtime.history.VectorStore;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

class EvaluationQueueTest {
    private static final Slices SLICES = new Slices(3, 3, 2);

    @TempDir private Path folder;

    private static ModelBlock block(long version, int block) {
        float first = 10 * version + 2 * block;
        float[] values = block == 0 ? new float[] {first, first + 1} : new float[] {first};
        return new ModelBlock(Header.model(7, version, new ShardId(0, block)), null, values);
    }

    /** Keeps vectors in files, and counts those that are open. */
    private final class Counting implements VectorStore {
        private int open;

        @Override
        public Vector create(int size) {
            open++;
            Vector file = VectorStore.files(folder).create(size);
            return new Vector() {
                @Override
                public void put(int from, float[] values) {
                    file.put(from, values);
                }

                @Override
                public FlatVector read() {
                    return file.read();
                }

                @Override
                public void close() {
                    open--;
                    file.close();
                }
            };
        }

        @Override
        public boolean inMemory() {
            return false;
        }
    }

    @Test
    void theNewestWaitsAndWhatItOvertakesIsGone() {
        Counting store = new Counting();
        try (EvaluationQueue queue = new EvaluationQueue(SLICES, store)) {
            assertThat(queue.add(block(1, 1))).isFalse();
            assertThat(queue.waits()).isFalse();
            assertThat(queue.add(block(1, 0))).isFalse();
            assertThat(queue.waits()).isTrue();
            queue.add(block(2, 0));
            assertThat(store.open).isEqualTo(2);
            assertThat(queue.add(block(2, 1))).isTrue();
            assertThat(store.open).isEqualTo(1);
            EvaluationQueue.Version newest = queue.take();
            assertThat(newest.number()).isEqualTo(2);
            assertThat(newest.parameters().all()).containsExactly(20, 21, 22);
            // Offered again.
            assertThat(queue.add(block(2, 0))).isFalse();
            queue.evaluated();
            assertThat(store.open).isZero();
            queue.add(block(3, 0));
        }
        assertThat(store.open).isZero();
    }

    /** Of models in memory; the others would have to be read. */
    @Test
    void aCheckpointHasWhatIsNotEvaluated() {
        try (EvaluationQueue queue = new EvaluationQueue(SLICES, VectorStore.memory());
                EvaluationQueue files = new EvaluationQueue(SLICES, VectorStore.files(folder))) {
            for (EvaluationQueue each : List.of(queue, files)) {
                each.add(block(1, 0));
                each.add(block(1, 1));
                each.take();
                each.add(block(2, 1));
            }
            List<LoopMessage> blocks = queue.blocks();
            assertThat(blocks).extracting(LoopMessage::round).containsExactly(1L, 1L, 2L);
            assertThat(((ModelBlock) blocks.get(1)).values()).containsExactly(12);
            assertThat(((ModelBlock) blocks.get(2)).values()).containsExactly(22);
            assertThat(blocks.get(2).shard()).isEqualTo(new ShardId(0, 1));
            assertThat(files.blocks()).isEmpty();
            queue.evaluated();
            assertThat(queue.blocks()).hasSize(1);
        }
    }
}
