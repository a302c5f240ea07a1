package dev.levee.federated.gateway.account;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaAdmin;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.versions.WindowReader;

import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The log of accounts, a topic with one partition and unlimited retention, and the {@link Accounts}
 * that follow from it. A gateway stores nothing itself: it reads the log when it starts, and
 * follows it.
 */
public final class AccountLog implements AccountStore, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration CLOSE = Duration.ofSeconds(1);

    /**
     * Maximum number of outcomes to keep until their requests ask for them. An append learns its
     * offset a little after the log is read.
     */
    private static final int OUTCOMES_KEPT = 10_000;

    private final KafkaAddress address;
    private final TopicPartition log;
    private final Accounts accounts = new Accounts();
    private final Producer<byte[], byte[]> producer;
    private final Consumer<byte[], byte[]> consumer;
    private final TreeMap<Long, Accounts.Outcome> outcomes = new TreeMap<>();
    private final Map<Long, CompletableFuture<Accounts.Outcome>> asked = new TreeMap<>();
    private final Thread thread = new Thread(this::follow, "accounts");
    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private volatile boolean closed;

    private AccountLog(KafkaAddress address, Topics topics) {
        this.address = address;
        this.log = new TopicPartition(topics.devices(), 0);
        this.producer = KafkaClients.producer(address);
        this.consumer = KafkaClients.consumer(address);
        thread.setDaemon(true);
    }

    /**
     * Creates the topic if it is missing, reads it to its end, and follows it.
     *
     * @throws IllegalArgumentException if brokers refuse the topic or the access; one sentence
     * @throws IllegalStateException if no broker answers; one sentence
     */
    public static AccountLog open(KafkaAddress address, Topics topics) {
        try (KafkaAdmin admin = KafkaAdmin.connect(address)) {
            if (!admin.get(admin.client().listTopics().names()).contains(topics.devices())) {
                create(admin, topics);
            }
        }
        AccountLog opened = new AccountLog(address, topics);
        try {
            opened.read();
            opened.thread.start();
            return opened;
        } catch (KafkaException e) {
            opened.close();
            throw KafkaAdmin.failed(address, e);
        }
    }

    private static void create(KafkaAdmin admin, Topics topics) {
        NewTopic topic =
                new NewTopic(topics.devices(), Optional.of(1), Optional.empty())
                        .configs(
                                Map.of(
                                        TopicConfig.CLEANUP_POLICY_CONFIG,
                                        TopicConfig.CLEANUP_POLICY_DELETE,
                                        TopicConfig.RETENTION_MS_CONFIG,
                                        "-1",
                                        TopicConfig.RETENTION_BYTES_CONFIG,
                                        "-1",
                                        TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                                        "LogAppendTime"));
        try {
            admin.create(List.of(topic));
        } catch (IllegalArgumentException e) {
            // Another gateway may have created the topic in the meantime.
            if (!admin.get(admin.client().listTopics().names()).contains(topics.devices())) {
                throw e;
            }
        }
    }

    private void read() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (consumer.partitionsFor(log.topic(), PATIENCE).isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no broker has topic " + log.topic());
            }
        }
        consumer.assign(List.of(log));
        new WindowReader(consumer, PATIENCE)
                .read(
                        consumer.beginningOffsets(List.of(log), PATIENCE),
                        consumer.endOffsets(List.of(log), PATIENCE),
                        this::take);
        consumer.resume(List.of(log));
    }

    private void follow() {
        try {
            while (!closed) {
                try {
                    consumer.poll(POLL).forEach(this::take);
                } catch (RetriableException e) {
                    // Polls again, because the broker may come back. Known accounts stay as they
                    // are.
                }
            }
        } catch (WakeupException e) {
            // Thrown after close().
        } catch (KafkaException e) {
            failure.completeExceptionally(KafkaAdmin.failed(address, e));
        } finally {
            consumer.close();
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        Accounts.Outcome outcome =
                AccountEvent.of(record.value())
                        .map(event -> accounts.apply(event, record.timestamp()))
                        .orElse(Accounts.Outcome.DONE);
        CompletableFuture<Accounts.Outcome> waiting;
        synchronized (outcomes) {
            waiting = asked.remove(record.offset());
            if (waiting == null) {
                outcomes.put(record.offset(), outcome);
                if (outcomes.size() > OUTCOMES_KEPT) {
                    outcomes.pollFirstEntry();
                }
            }
        }
        if (waiting != null) {
            waiting.complete(outcome);
        }
    }

    @Override
    public Accounts accounts() {
        return accounts;
    }

    @Override
    public CompletableFuture<Accounts.Outcome> append(AccountEvent event) {
        CompletableFuture<Accounts.Outcome> done = new CompletableFuture<>();
        producer.send(
                new ProducerRecord<>(
                        log.topic(),
                        log.partition(),
                        event.device().getBytes(StandardCharsets.UTF_8),
                        event.json()),
                (metadata, failure) -> {
                    if (failure == null) {
                        await(metadata.offset(), done);
                    } else {
                        done.completeExceptionally(KafkaAdmin.failed(address, failure));
                    }
                });
        return done;
    }

    private void await(long offset, CompletableFuture<Accounts.Outcome> done) {
        Accounts.Outcome known;
        synchronized (outcomes) {
            known = outcomes.remove(offset);
            if (known == null) {
                asked.put(offset, done);
            }
        }
        if (known != null) {
            done.complete(known);
        }
    }

    /** Fails when the log can no longer be read, so revocations would be missed; one sentence. */
    public CompletableFuture<Void> failure() {
        return failure;
    }

    /** Appends events and waits until all are stored. */
    public void appendAll(List<? extends AccountEvent> events) {
        List<CompletableFuture<Accounts.Outcome>> stored = new ArrayList<>();
        events.forEach(event -> stored.add(append(event)));
        CompletableFuture.allOf(stored.toArray(new CompletableFuture<?>[0])).join();
    }

    @Override
    public void close() {
        closed = true;
        producer.close(CLOSE);
        if (thread.getState() == Thread.State.NEW) {
            consumer.close();
        } else {
            consumer.wakeup();
        }
    }
}
