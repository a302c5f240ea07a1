package dev.levee.federated.gateway.topic;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.TopicReader;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.VerifyingKey;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds the job's messages to devices for the secure sums of the newest rounds, and the requests
 * that wait for more. Starts to read the topic from its beginning on the first request, and keeps
 * only the two newest rounds. Safe for concurrent use.
 */
public final class Sums implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sums.class);
    private static final int ROUNDS_KEPT = 2;

    /** The recipient of messages for all devices. */
    private static final int ALL = -1;

    private final KafkaAddress address;
    private final String topic;
    private final VerifyingKey job;

    /** The messages by version, in the order of each partition. */
    private final TreeMap<VersionId, List<Told>> told = new TreeMap<>(Sums::compare);

    private final Set<Waiting> waiting = new HashSet<>();
    private TopicReader reader;
    private int partitions = 1;

    /** A message for one device, or for all devices of its partition. */
    private record Told(int partition, int device, byte[] record) {}

    private record Waiting(
            VersionId version,
            int device,
            int from,
            java.util.function.Consumer<List<byte[]>> who) {}

    /**
     * Creates a reader that has not read anything.
     *
     * @param job the job's public key, null in a run without keys, which has no secure sums
     */
    public Sums(KafkaAddress address, Topics topics, VerifyingKey job) {
        this.address = address;
        this.topic = topics.sums();
        this.job = job;
    }

    private static int compare(VersionId a, VersionId b) {
        int byRun = Long.compare(a.run(), b.run());
        return byRun != 0 ? byRun : Long.compare(a.version(), b.version());
    }

    /**
     * Calls {@code who} with the job's messages to a device, from the given number on, as soon as
     * there are any. It is called at most once, on any thread.
     *
     * @return an action that cancels the request
     */
    public Runnable tell(
            VersionId version,
            int device,
            int from,
            java.util.function.Consumer<List<byte[]>> who) {
        Waiting asks = new Waiting(version, device, from, who);
        List<byte[]> now;
        synchronized (this) {
            if (reader == null) {
                reader = TopicReader.start(address, topic, "sums", new All());
            }
            now = records(asks);
            if (now.isEmpty()) {
                waiting.add(asks);
            }
        }
        if (!now.isEmpty()) {
            who.accept(now);
        }
        return () -> {
            synchronized (this) {
                waiting.remove(asks);
            }
        };
    }

    private List<byte[]> records(Waiting asks) {
        int own = Topics.partition(asks.device(), partitions);
        return told.getOrDefault(asks.version(), List.of()).stream()
                .filter(each -> each.partition() == own)
                .filter(each -> each.device() == ALL || each.device() == asks.device())
                .skip(asks.from())
                .map(Told::record)
                .toList();
    }

    /** Receives records of the topic, in the order of each partition. */
    public void take(Iterable<ConsumerRecord<byte[], byte[]>> records) {
        records.forEach(this::take);
        answer();
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        Frame frame =
                Frame.read(record.value(), FrameKind.SUM)
                        .filter(each -> each.authentic(job))
                        .orElse(null);
        synchronized (this) {
            if (frame != null) {
                told.computeIfAbsent(
                                new VersionId(frame.run(), frame.round()),
                                each -> new ArrayList<>())
                        .add(new Told(record.partition(), frame.receiver(), record.value()));
                if (told.size() > ROUNDS_KEPT) {
                    told.pollFirstEntry();
                }
            }
        }
    }

    private void answer() {
        Map<Waiting, List<byte[]>> answers = new HashMap<>();
        synchronized (this) {
            for (Waiting each : waiting) {
                List<byte[]> records = records(each);
                if (!records.isEmpty()) {
                    answers.put(each, records);
                }
            }
            waiting.removeAll(answers.keySet());
        }
        answers.forEach((each, records) -> each.who().accept(records));
    }

    @Override
    public synchronized void close() {
        if (reader != null) {
            reader.close();
        }
    }

    /** Reads all partitions from their beginning. */
    private final class All implements TopicReader.Listener {
        @Override
        public Map<TopicPartition, Long> begin(
                Consumer<byte[], byte[]> consumer, List<TopicPartition> all, Duration patience) {
            synchronized (Sums.this) {
                partitions = all.size();
            }
            return consumer.beginningOffsets(all, patience);
        }

        @Override
        public void take(Iterable<ConsumerRecord<byte[], byte[]>> records) {
            Sums.this.take(records);
        }

        @Override
        public void waiting(String why) {
            LOG.info("{}", why);
        }

        @Override
        public void failed(RuntimeException cause) {
            LOG.error("topic {} is read again at the next request", topic, cause);
            synchronized (Sums.this) {
                reader = null;
                told.clear();
            }
        }
    }
}
