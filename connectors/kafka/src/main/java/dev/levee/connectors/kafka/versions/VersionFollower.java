package dev.levee.connectors.kafka.versions;

import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.ServerRing;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Finds the newest complete version on a topic, then follows the topic. It searches backwards from
 * the end: it reads a few records first, then doubles the window until a version is complete or the
 * beginning is reached.
 */
public final class VersionFollower {
    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final NewestVersion.Blocks blocks;
    private final IntFunction<Versions> none;
    private Versions candidates;

    /**
     * Creates a follower of versions that consist of the models of all servers.
     *
     * @param consumer must not be used by other code at the same time
     * @param ring the trusted servers
     */
    public VersionFollower(
            Consumer<byte[], byte[]> consumer,
            String topic,
            FrameKind kind,
            ServerRing ring,
            NewestVersion.Blocks blocks) {
        this(
                consumer,
                topic,
                blocks,
                partitions -> new Candidates(kind, partitions, ring, blocks, Candidates.ALL));
    }

    /**
     * Creates a follower.
     *
     * @param none creates an empty collection of versions for a number of partitions
     */
    public VersionFollower(
            Consumer<byte[], byte[]> consumer,
            String topic,
            NewestVersion.Blocks blocks,
            IntFunction<Versions> none) {
        this.consumer = consumer;
        this.topic = topic;
        this.blocks = blocks;
        this.none = none;
    }

    /**
     * Finds the newest complete version, like {@link NewestVersion#find}. Leaves the consumer at
     * the end of the topic.
     *
     * @throws IllegalStateException if there is none, but the topic has records of another protocol
     *     version; one sentence
     */
    public Optional<NewestVersion.Found> find(Duration patience) {
        try {
            List<TopicPartition> all = partitions(patience);
            int count = all.size();
            candidates = none.apply(count);
            List<TopicPartition> partitions =
                    all.stream().filter(each -> blocks.in(each.partition(), count)).toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, patience);
            readBack(
                    consumer.beginningOffsets(partitions, patience),
                    ends,
                    blocks.firstWindow(count),
                    patience);
            consumer.resume(partitions);
            ends.forEach(consumer::seek);
            Optional<NewestVersion.Found> best = candidates.best(ends);
            if (best.isEmpty() && candidates.otherVersion() > 0) {
                throw new IllegalStateException(
                        ("topic %s has records of protocol version %d, which this Levee cannot"
                                        + " read: finish that run with the Levee that started it,"
                                        + " or start this one under another name")
                                .formatted(topic, candidates.otherVersion()));
            }
            return best;
        } catch (TimeoutException e) {
            throw silence(patience, e);
        }
    }

    private List<TopicPartition> partitions(Duration patience) {
        List<TopicPartition> partitions =
                consumer.partitionsFor(topic, patience).stream()
                        .map(each -> new TopicPartition(topic, each.partition()))
                        .toList();
        if (partitions.isEmpty()) {
            throw new UnknownTopicOrPartitionException("there is no topic " + topic);
        }
        return partitions;
    }

    private void readBack(
            Map<TopicPartition, Long> begins,
            Map<TopicPartition, Long> ends,
            long firstWindow,
            Duration patience) {
        WindowReader reader = new WindowReader(consumer, patience);
        Map<TopicPartition, Long> to = ends;
        long window = firstWindow;
        while (!candidates.settled() && !to.equals(begins)) {
            Map<TopicPartition, Long> from = new HashMap<>();
            for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
                long begin = begins.get(end.getKey());
                from.put(end.getKey(), Math.max(begin, end.getValue() - window));
            }
            reader.read(from, to, candidates::add);
            to = from;
            window *= 2;
        }
    }

    /**
     * Number of servers that skipped models claim, if it differs from the expected number; 0 if
     * there are no such models.
     */
    public int otherServers() {
        return candidates.otherServers();
    }

    /** Contradictions seen since the last call. */
    public List<Versions.Contradiction> contradictions() {
        return candidates.contradictions();
    }

    /**
     * Waits for a version newer than all before. Call {@link #find} first.
     *
     * @return empty if none becomes complete within the timeout
     */
    public Optional<NewestVersion.Found> poll(Duration timeout) {
        boolean newer = false;
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(timeout)) {
            newer |= candidates.add(record);
        }
        return newer ? candidates.best(positions()) : Optional.empty();
    }

    private Map<TopicPartition, Long> positions() {
        Map<TopicPartition, Long> positions = new HashMap<>();
        consumer.assignment().forEach(each -> positions.put(each, consumer.position(each)));
        return positions;
    }

    /**
     * Checks that the topic exists and brokers answer.
     *
     * @throws UnknownTopicOrPartitionException if there is no such topic; one sentence
     * @throws TimeoutException if brokers do not answer; one sentence
     */
    public void probe(Duration patience) {
        try {
            consumer.endOffsets(partitions(patience), patience);
        } catch (TimeoutException e) {
            throw silence(patience, e);
        }
    }

    private TimeoutException silence(Duration patience, TimeoutException cause) {
        return new TimeoutException(
                "no broker sends anything of topic %s within %d s"
                        .formatted(topic, patience.toSeconds()),
                cause);
    }
}
