package dev.levee.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.levee.kafka.TestBroker;

import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

@Tag("archives")
class LocalKafkaTest {
    @TempDir static Path home;

    /** Of all tests that need one, since its start takes seconds of processor time. */
    private static LocalKafka broker;

    @TempDir Path directory;

    private static LocalKafka.Options options(Path directory, int port) {
        return new LocalKafka.Options(directory, port, Map.of());
    }

    private static LocalKafka broker() throws IOException {
        if (broker == null) {
            broker = LocalKafka.start(options(home, 0));
        }
        return broker;
    }

    @AfterAll
    static void dataCanBeDeletedInTheEnd() throws IOException {
        if (broker != null) {
            broker.close();
            LocalKafka.deleteData(home);
            assertThat(home.resolve("data")).doesNotExist();
        }
    }

    @Test
    @Tag("cluster")
    void keepsWhatWasCommittedHoweverItEnds() throws Exception {
        String address = broker().bootstrapServers();
        createTopic("records", Map.of());
        try (KafkaProducer<String, String> producer = producer()) {
            producer.initTransactions();
            send(producer, "records", "first");
            producer.commitTransaction();
            send(producer, "records", "open when the broker is killed");
            producer.flush();
            broker.kill();
            assertThat(LocalKafka.find(home)).isEmpty();
            broker.restart();
        }
        assertThat(broker.bootstrapServers()).isEqualTo(address);
        assertThat(read("records", 1)).containsExactly("first");
        try (KafkaProducer<String, String> producer = producer()) {
            producer.initTransactions();
            send(producer, "records", "second");
            producer.commitTransaction();
        }
        assertThat(read("records", 2)).containsExactly("first", "second");
        broker.stop();
        assertThat(LocalKafka.find(home)).isEmpty();
        broker = LocalKafka.start(options(home, 0));
        assertThat(read("records", 2)).containsExactly("first", "second");
    }

    @Test
    @Tag("cluster")
    void isOneToADirectoryAndOnlyOnLoopback() throws Exception {
        String address = broker().bootstrapServers();
        assertThat(LocalKafka.find(home).orElseThrow().bootstrapServers()).isEqualTo(address);
        assertThatThrownBy(() -> LocalKafka.start(options(home, 0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a broker is already running at " + address);
        assertThatThrownBy(() -> LocalKafka.deleteData(home))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "the broker at "
                                + address
                                + " is still running; stop it before deleting its data");
        int port = Integer.parseInt(address.split(":", 2)[1]);
        for (InetAddress outside : addressesSeenFromOutside()) {
            assertThatThrownBy(() -> new Socket(outside, port).close())
                    .as(outside.toString())
                    .isInstanceOf(ConnectException.class);
        }
    }

    /** Which is what the topic of gradients asks of a broker: to unpack what comes compressed. */
    @Test
    @Tag("cluster")
    void servesOnAfterRecordsThatUnpackToMoreThanItsMemory() throws Exception {
        assumeThat(Runtime.getRuntime().maxMemory()).isGreaterThan(1200L << 20);
        long pid = broker().pid();
        createTopic("unpacked", Map.of(TopicConfig.COMPRESSION_TYPE_CONFIG, "uncompressed"));
        try (KafkaProducer<byte[], byte[]> bombs = compressing()) {
            byte[] zeros = new byte[400 << 20];
            for (int bomb = 0; bomb < 2; bomb++) {
                Future<?> sent = bombs.send(new ProducerRecord<>("unpacked", zeros));
                assertThatThrownBy(sent::get).isInstanceOf(ExecutionException.class);
            }
        }
        try (KafkaProducer<String, String> producer = producer()) {
            producer.initTransactions();
            send(producer, "unpacked", "after");
            producer.commitTransaction();
        }
        assertThat(read("unpacked", 1)).containsExactly("after");
        assertThat(broker.pid()).isEqualTo(pid);
        assertThat(ProcessHandle.of(pid)).isPresent();
    }

    /** Takes records of any size, and does not try again. */
    private static KafkaProducer<byte[], byte[]> compressing() {
        return new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        "compression.type",
                        "gzip",
                        "max.request.size",
                        1 << 30,
                        "buffer.memory",
                        1L << 30,
                        "retries",
                        0),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @Test
    @Tag("cluster")
    void saysWhichOptionKafkaRefuses() throws IOException {
        LocalKafka.Options options =
                new LocalKafka.Options(directory, 0, Map.of("num.partitions", "many"));
        assertThatThrownBy(() -> LocalKafka.start(options))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "the broker cannot start: Invalid value many for configuration"
                                + " num.partitions: Not a number of type INT");
        assertThat(LocalKafka.find(directory)).isEmpty();
    }

    @Test
    @Tag("cluster")
    void saysThatItEndedWhileStarting() throws IOException {
        LocalKafka.Options options =
                new LocalKafka.Options(directory, 0, Map.of("metric.reporters", "no.such.Class"));
        assertThatThrownBy(() -> LocalKafka.start(options))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the broker ended while starting: ")
                .hasMessageContaining("no.such.Class")
                .hasMessageEndingWith("; see " + directory.resolve("log"));
        assertThat(LocalKafka.find(directory)).isEmpty();
    }

    @Test
    void refusesATakenPort() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() -> LocalKafka.start(options(directory, port)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "--port " + port + " is taken by another process; choose a free one");
        }
        assertThat(LocalKafka.find(directory)).isEmpty();
    }

    @Test
    void listensNowhereElse() {
        Map<String, String> configuration = Map.of("listeners", "PLAINTEXT://0.0.0.0:9092");
        assertThatThrownBy(() -> new LocalKafka.Options(directory, 0, configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "-D listeners cannot be set, because the broker is a single node on"
                                + " 127.0.0.1; leave it out");
    }

    private static void createTopic(String name, Map<String, String> configuration) {
        TestBroker.create(broker, new NewTopic(name, 1, (short) 1).configs(configuration));
    }

    private static KafkaProducer<String, String> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", "test"),
                new StringSerializer(),
                new StringSerializer());
    }

    private static void send(KafkaProducer<String, String> producer, String topic, String value) {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(topic, value));
    }

    /** The committed records, once there are {@code count}. */
    private static List<String> read(String topic, int count) {
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(
                        Map.of(
                                "bootstrap.servers",
                                broker.bootstrapServers(),
                                "isolation.level",
                                "read_committed"),
                        new StringDeserializer(),
                        new StringDeserializer())) {
            List<TopicPartition> partitions = List.of(new TopicPartition(topic, 0));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            List<String> values = new ArrayList<>();
            while (values.size() < count) {
                consumer.poll(Duration.ofMillis(100)).forEach(each -> values.add(each.value()));
            }
            return values;
        }
    }

    private static List<InetAddress> addressesSeenFromOutside() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress())
                .toList();
    }
}
