package dev.levee.connectors.kafka.versions;

import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.wire.VerifyingKey;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the newest complete version on a topic. */
public final class NewestVersion {
    /**
     * A complete version.
     *
     * @param frames the requested frames, ordered by server, then by block
     * @param publishedAt when the last frame was appended, the broker's milliseconds since the
     *     epoch
     * @param next for each partition, the offset from which to continue without missing a newer
     *     version
     */
    public record Found(
            long run,
            long version,
            List<Frame> frames,
            long publishedAt,
            Map<TopicPartition, Long> next) {
        /** Copies its arguments. */
        public Found {
            frames = List.copyOf(frames);
            next = Map.copyOf(next);
        }
    }

    /**
     * The blocks to look for. A version is written in one transaction: if some of its blocks can be
     * read, the others can be read too, or soon will.
     *
     * @param wanted the blocks that a version must have; null for all
     * @param count number of blocks of the model, 0 if unknown
     */
    public record Blocks(BitSet wanted, int count) {
        public static final Blocks ALL = new Blocks(null, 0);

        /**
         * Number of offsets per partition that are read first if the number of blocks is unknown.
         */
        private static final int FIRST_WINDOW = 16;

        private static final int FIRST_VERSIONS = 2;

        /** Copies {@code wanted}. */
        public Blocks {
            wanted = wanted == null ? null : (BitSet) wanted.clone();
        }

        boolean has(int block) {
            return wanted == null || wanted.get(block);
        }

        /** Number of blocks that must be found for a version of {@code blocks} blocks. */
        int of(int blocks) {
            return wanted == null ? blocks : wanted.get(0, blocks).cardinality();
        }

        boolean in(int partition, int partitions) {
            return wanted == null
                    || wanted.stream()
                            .anyMatch(block -> Topics.partition(block, partitions) == partition);
        }

        /**
         * Number of offsets per partition that the last versions take, including transaction
         * markers.
         */
        int firstWindow(int partitions) {
            int each = (count + partitions - 1) / partitions + 1;
            return count == 0 ? FIRST_WINDOW : FIRST_VERSIONS * each;
        }
    }

    private NewestVersion() {}

    /**
     * Finds the newest version of which all blocks are present and authentic: the one with the
     * greatest run, then the greatest version. Records that are not authentic are skipped. The
     * consumer is left assigned to all partitions of the topic, at {@link Found#next}, or at its
     * end if nothing was found.
     *
     * @param consumer reads committed records, as {@link KafkaClients#consumer} does
     * @param job the job's public key, null in a run without keys
     * @param patience maximum time without any record
     * @throws UnknownTopicOrPartitionException if there is no such topic; one sentence
     * @throws TimeoutException if no record arrives within {@code patience}; one sentence
     */
    public static Optional<Found> find(
            Consumer<byte[], byte[]> consumer,
            String topic,
            FrameKind kind,
            VerifyingKey job,
            Duration patience) {
        return find(consumer, topic, kind, ServerRing.of(job), Blocks.ALL, patience);
    }

    /**
     * As above, for some blocks only. It reads only partitions that have such blocks, finds the
     * newest version that has all of them, and returns no other frames. With several servers,
     * blocks are numbered consecutively, server by server.
     *
     * @param ring the trusted servers
     */
    public static Optional<Found> find(
            Consumer<byte[], byte[]> consumer,
            String topic,
            FrameKind kind,
            ServerRing ring,
            Blocks blocks,
            Duration patience) {
        VersionFollower follower = new VersionFollower(consumer, topic, kind, ring, blocks);
        Optional<Found> found = follower.find(patience);
        found.ifPresent(newest -> newest.next().forEach(consumer::seek));
        return found;
    }
}
