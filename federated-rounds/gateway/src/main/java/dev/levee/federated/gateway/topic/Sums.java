package dev.levee.federated.gateway.topic;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.VerifyingKey;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What the job has told devices in the secure sums of its newest rounds, as it is on the topic, and
 * who waits for more. Reads the topic from its beginning once somebody asks, and keeps the newest
 * two rounds only. Safe for concurrent use.
 */
public final class Sums implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sums.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration CLOSE = Duration.ofMillis(500);
    private static final long PAUSE_SECONDS = 1;
    private static final int ROUNDS_KEPT = 2;

    /** For all devices. */
    private static final int ALL = -1;

    private final KafkaAddress address;
    private final String topic;
    private final VerifyingKey job;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<TopicPartition, Long> next = new TreeMap<>(Sums::compare);

    /** Records by version, in the order of each partition, with whom they are for. */
    private final TreeMap<VersionId, List<Told>> told = new TreeMap<>(Sums::compare);

    private final Set<Waiting> waiting = new HashSet<>();
    private Thread thread;

    /** What is for one device, or on the partition of some for all. */
    private record Told(int partition, int device, byte[] record) {}

    private record Waiting(
            VersionId version,
            int device,
            int from,
            java.util.function.Consumer<List<byte[]>> who) {}

    /**
     * A reader that has read nothing.
     *
     * @param job the job's public key, null in a run without keys, which has no secure sums
     */
    public Sums(KafkaAddress address, Topics topics, VerifyingKey job) {
        this.address = address;
        this.topic = topics.sums();
        this.job = job;
    }

    private static int compare(TopicPartition a, TopicPartition b) {
        return Integer.compare(a.partition(), b.partition());
    }

    private static int compare(VersionId a, VersionId b) {
        int byRun = Long.compare(a.run(), b.run());
        return byRun != 0 ? byRun : Long.compare(a.version(), b.version());
    }

    /**
     * Hands a device what it has been told, from the given number of records on, once there is
     * something; on any thread, at most once.
     *
     * @return what to do to be told no more
     */
    public Runnable tell(
            VersionId version,
            int device,
            int from,
            java.util.function.Consumer<List<byte[]>> who) {
        Waiting asks = new Waiting(version, device, from, who);
        List<byte[]> now;
        synchronized (this) {
            start();
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
        int partitions = Math.max(1, next.size());
        int own = Topics.partition(asks.device(), partitions);
        return told.getOrDefault(asks.version(), List.of()).stream()
                .filter(each -> each.partition() == own)
                .filter(each -> each.device() == ALL || each.device() == asks.device())
                .skip(asks.from())
                .map(Told::record)
                .toList();
    }

    private void start() {
        if (thread == null) {
            thread = new Thread(this::read, "sums");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void read() {
        try {
            while (closed.getCount() > 0) {
                try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(address)) {
                    read(consumer);
                } catch (WakeupException | InterruptException e) {
                    return;
                } catch (KafkaException e) {
                    LOG.info("topic {} cannot be read now: {}", topic, e.toString());
                    closed.await(PAUSE_SECONDS, TimeUnit.SECONDS);
                }
            }
        } catch (InterruptedException e) {
            // close() interrupts this thread, which then ends.
        }
    }

    private void read(Consumer<byte[], byte[]> consumer) {
        try {
            List<PartitionInfo> partitions = consumer.partitionsFor(topic, PATIENCE);
            if (partitions.isEmpty()) {
                throw new KafkaException("there is no such topic");
            }
            synchronized (this) {
                for (PartitionInfo each : partitions) {
                    next.putIfAbsent(new TopicPartition(topic, each.partition()), -1L);
                }
                consumer.assign(next.keySet());
                next.forEach(
                        (partition, offset) -> {
                            if (offset < 0) {
                                consumer.seekToBeginning(List.of(partition));
                            } else {
                                consumer.seek(partition, offset);
                            }
                        });
            }
            while (closed.getCount() > 0) {
                take(consumer.poll(POLL));
            }
        } finally {
            Thread.interrupted(); // a consumer that an interrupted thread closes leaves sessions
            consumer.close(CloseOptions.timeout(CLOSE));
        }
    }

    /** Takes records of the topic, in the order of each partition. */
    public void take(Iterable<ConsumerRecord<byte[], byte[]>> records) {
        records.forEach(this::take);
        answer();
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        Frame frame =
                Frame.read(record.value())
                        .filter(each -> each.kind() == FrameKind.SUM)
                        .filter(each -> each.authentic(job))
                        .orElse(null);
        synchronized (this) {
            next.put(new TopicPartition(topic, record.partition()), record.offset() + 1);
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
        closed.countDown();
        if (thread != null) {
            thread.interrupt();
        }
    }
}
