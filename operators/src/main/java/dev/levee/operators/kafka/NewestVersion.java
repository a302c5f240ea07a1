package dev.levee.operators.kafka;

import dev.levee.operators.wire.Frame;
import dev.levee.operators.wire.FrameKind;
import dev.levee.operators.wire.VerifyingKey;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the newest complete version on a topic, reading from its end backwards: first a few
 * records, then twice as many, until a version is complete or the beginning is reached.
 */
public final class NewestVersion {
    /** Offsets of each partition that are looked at first. */
    static final long FIRST_WINDOW = 16;

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
        try {
            List<TopicPartition> partitions = partitions(consumer, topic, patience);
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, patience);
            Candidates candidates = new Candidates(kind, partitions.size(), job);
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions, patience);
            readBack(new WindowReader(consumer, patience), begins, ends, candidates);
            Optional<Found> found = candidates.best(ends);
            consumer.resume(partitions);
            found.map(Found::next).orElse(ends).forEach(consumer::seek);
            return found;
        } catch (TimeoutException e) {
            throw new TimeoutException(
                    "no broker sends anything of topic %s within %d s"
                            .formatted(topic, patience.toSeconds()),
                    e);
        }
    }

    private static List<TopicPartition> partitions(
            Consumer<byte[], byte[]> consumer, String topic, Duration patience) {
        List<TopicPartition> partitions =
                consumer.partitionsFor(topic, patience).stream()
                        .map(each -> new TopicPartition(topic, each.partition()))
                        .toList();
        if (partitions.isEmpty()) {
            throw new UnknownTopicOrPartitionException("there is no topic " + topic);
        }
        return partitions;
    }

    private static void readBack(
            WindowReader reader,
            Map<TopicPartition, Long> begins,
            Map<TopicPartition, Long> ends,
            Candidates candidates) {
        Map<TopicPartition, Long> to = ends;
        long window = FIRST_WINDOW;
        while (!candidates.settled() && !to.equals(begins)) {
            Map<TopicPartition, Long> from = new HashMap<>();
            for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
                long begin = begins.get(end.getKey());
                from.put(end.getKey(), Math.max(begin, end.getValue() - window));
            }
            reader.read(from, to, candidates);
            to = from;
            window *= 2;
        }
    }
}
