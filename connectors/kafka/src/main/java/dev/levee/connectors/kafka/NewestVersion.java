package dev.levee.connectors.kafka;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.VerifyingKey;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the newest complete version on a topic. */
public final class NewestVersion {
    /**
     * A complete version.
     *
     * @param frames by block
     * @param publishedAt when the last of them was appended, the broker's milliseconds since the
     *     epoch
     * @param next of each partition, the offset from which nothing newer is missed
     */
    public record Found(
            long run,
            long version,
            List<Frame> frames,
            long publishedAt,
            Map<TopicPartition, Long> next) {
        /** A copy of its own. */
        public Found {
            frames = List.copyOf(frames);
            next = Map.copyOf(next);
        }
    }

    private NewestVersion() {}

    /**
     * The newest version, that of the greatest run and then of the greatest version, all of whose
     * blocks are there and authentic; what is not authentic is passed over. Leaves the consumer
     * assigned to all partitions of the topic, at {@link Found#next}, or at its end if nothing was
     * found.
     *
     * @param consumer reads what has been committed, as {@link KafkaClients#consumer} does
     * @param job the job's public key, null in a run without keys
     * @param patience how long nothing at all may arrive
     * @throws UnknownTopicOrPartitionException if there is no such topic; one sentence
     * @throws TimeoutException if patience ends; one sentence
     */
    public static Optional<Found> find(
            Consumer<byte[], byte[]> consumer,
            String topic,
            FrameKind kind,
            VerifyingKey job,
            Duration patience) {
        VersionFollower follower = new VersionFollower(consumer, topic, kind, job);
        Optional<Found> found = follower.find(patience);
        found.ifPresent(newest -> newest.next().forEach(consumer::seek));
        return found;
    }
}
