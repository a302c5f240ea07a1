package dev.levee.connectors.kafka;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/**
 * Queries a Kafka cluster and creates topics. The message of each failure is one sentence that
 * names the option to check.
 */
public final class KafkaAdmin implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration AGAIN = Duration.ofMillis(50);

    private final KafkaAddress address;
    private final Admin admin;

    KafkaAdmin(KafkaAddress address, Admin admin) {
        this.address = address;
        this.admin = admin;
    }

    /**
     * Connects, and waits until a broker answers.
     *
     * @throws IllegalArgumentException if no broker answers within 15 s, or the address or a client
     *     property is wrong
     */
    public static KafkaAdmin connect(KafkaAddress address) {
        Properties properties = address.properties();
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
        properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis() / 3);
        properties.put(AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        Admin admin;
        try {
            admin = Admin.create(properties);
        } catch (KafkaException e) {
            throw misconfigured(address, e);
        }
        KafkaAdmin connected = new KafkaAdmin(address, admin);
        boolean answers = false;
        try {
            connected.get(admin.describeCluster().nodes());
            answers = true;
            return connected;
        } finally {
            if (!answers) {
                connected.close();
            }
        }
    }

    /** Describes an address or a client property with which no client can be created. */
    public static IllegalArgumentException misconfigured(KafkaAddress address, KafkaException e) {
        Throwable cause = e;
        while (!(cause instanceof ConfigException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String reason = cause.getMessage();
        return new IllegalArgumentException(
                reason.contains("bootstrap")
                        ? "--bootstrap-servers must be host:port, or several separated by commas,"
                                + " of hosts that can be found, got "
                                + address
                        : "--kafka-config: " + reason,
                e);
    }

    /** True if a client could not be created because no broker's host could be resolved. */
    static boolean unresolved(IllegalArgumentException misconfigured) {
        Throwable cause = misconfigured;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage()).startsWith("No resolvable bootstrap urls");
    }

    /** The underlying client. {@link #get} waits for its answers. */
    public Admin client() {
        return admin;
    }

    /**
     * Waits for an answer.
     *
     * @throws IllegalArgumentException if brokers refuse the request; one sentence
     * @throws IllegalStateException if no answer comes; one sentence
     */
    public <T> T get(KafkaFuture<T> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw refused(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Waits for an answer about topics that have just been created. Kafka acknowledges topics
     * before every broker knows them, so the question is repeated while a broker does not know a
     * topic.
     *
     * @throws IllegalArgumentException if brokers refuse the request, or a topic is still unknown
     *     after 15 s; one sentence
     * @throws IllegalStateException if no answer comes; one sentence
     */
    public <T> T getOfNew(Function<Admin, KafkaFuture<T>> question) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return get(question.apply(admin));
            } catch (IllegalArgumentException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)
                        || System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
            rest();
        }
    }

    /**
     * Creates topics, and waits until the leaders of their partitions accept records. A producer
     * that writes earlier may lose its first batch: a broker that has refused this batch and
     * accepted the next one never accepts the first (KAFKA-15591, in brokers of version 4.2).
     *
     * @param topics the topics, each with its number of partitions
     * @throws IllegalArgumentException if a broker refuses a topic; one sentence
     * @throws IllegalStateException if no answer comes; one sentence
     */
    public void create(List<NewTopic> topics) {
        get(admin.createTopics(topics).all());
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        for (NewTopic topic : topics) {
            for (int partition = 0; partition < topic.numPartitions(); partition++) {
                ends.put(new TopicPartition(topic.name(), partition), OffsetSpec.latest());
            }
        }
        getOfNew(client -> client.listOffsets(ends).all());
    }

    private static void rest() {
        try {
            Thread.sleep(AGAIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private RuntimeException refused(Throwable cause) {
        return cause instanceof TimeoutException
                ? new IllegalStateException(
                        "--bootstrap-servers %s: no Kafka broker answers there within %d s"
                                .formatted(address, PATIENCE.toSeconds()),
                        cause)
                : failed(address, cause);
    }

    /** The message for a client's failure. */
    public static IllegalArgumentException failed(KafkaAddress address, Throwable cause) {
        String sentence =
                cause instanceof AuthenticationException
                        ? "--bootstrap-servers %s refused this client, see --kafka-config: %s"
                        : "--bootstrap-servers %s: %s";
        return new IllegalArgumentException(sentence.formatted(address, cause.getMessage()), cause);
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
