package dev.levee.connectors.kafka.job;

import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.versions.WindowReader;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.training.RoundPhase;
import dev.levee.operators.rounds.training.RoundReport;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads reports of rounds from the states that precede the newest one on a topic. With these, a job
 * that continues from the newest state can report rounds that an earlier job ran.
 */
public final class PastRounds {
    private final int block;
    private final long run;
    private final long after;
    private final long newest;
    private final VerifyingKey job;
    private final TreeMap<Long, RoundReport> byVersion = new TreeMap<>();

    /** True if no earlier record is needed. */
    private boolean settled;

    private PastRounds(int block, long run, long after, long newest, VerifyingKey job) {
        this.block = block;
        this.run = run;
        this.after = after;
        this.newest = newest;
        this.job = job;
    }

    /**
     * Returns the reports of the rounds that led to versions {@code after} + 1 to {@code newest},
     * in order. Rounds whose states have been compacted away are missing. The durations of phases
     * are unknown, and are 0.
     *
     * @param consumer reads committed records, as {@link KafkaClients#consumer} does
     * @param topic the topic of states
     * @param block the block whose state has the coordinator's memory
     * @param job the job's public key, null in a run without keys
     * @param patience maximum time without any record
     * @throws TimeoutException if no record arrives within {@code patience}
     */
    public static List<RoundReport> between(
            Consumer<byte[], byte[]> consumer,
            String topic,
            int block,
            long run,
            VerifyingKey job,
            long after,
            long newest,
            Duration patience) {
        PastRounds past = new PastRounds(block, run, after, newest, job);
        past.readBack(consumer, topic, patience);
        return past.timed();
    }

    private void readBack(Consumer<byte[], byte[]> consumer, String topic, Duration patience) {
        int partitions = consumer.partitionsFor(topic, patience).size();
        TopicPartition first = new TopicPartition(topic, Topics.partition(block, partitions));
        List<TopicPartition> only = List.of(first);
        consumer.assign(only);
        long begin = consumer.beginningOffsets(only, patience).get(first);
        long to = consumer.endOffsets(only, patience).get(first);
        WindowReader reader = new WindowReader(consumer, patience);
        // Each version has one record there, and a transaction marker.
        long window = Math.max(1, 2 * (newest - after));
        while (to > begin && !settled) {
            long from = Math.max(begin, to - window);
            reader.read(Map.of(first, from), Map.of(first, to), this::add);
            to = from;
        }
    }

    private void add(ConsumerRecord<byte[], byte[]> record) {
        Frame frame = Frame.read(record.value(), FrameKind.STATE).orElse(null);
        if (frame == null || frame.block() != block || !frame.authentic(job)) {
            return;
        }
        settled |= frame.run() < run || frame.run() == run && frame.round() <= after + 1;
        if (frame.run() == run && frame.round() > after && frame.round() <= newest) {
            CoordinatorMemory memory = VersionState.of(frame.state()).memory();
            if (memory != null && memory.last() != null) {
                byVersion.put(frame.round(), memory.last());
            }
        }
    }

    /**
     * Adds durations: a round lasts from the end of the previous round. The first round's duration
     * is unknown.
     */
    private List<RoundReport> timed() {
        List<RoundReport> rounds = new ArrayList<>();
        RoundReport before = null;
        for (RoundReport each : byVersion.values()) {
            boolean next = before != null && before.round() == each.round() - 1;
            double seconds = next ? (each.decidedAt() - before.decidedAt()) / 1e3 : 0;
            rounds.add(each.took(Math.max(0, seconds), new double[RoundPhase.values().length]));
            before = each;
        }
        return rounds;
    }
}
