package dev.levee.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.LeveeProcess;
import dev.levee.RunningJob;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.job.Evaluator;
import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.gar.Rules;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;

import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.regex.Pattern;

/** The statements of docs/how-to/flink.md that read gradients from Kafka, with a broker. */
@Tag("cluster")
class GradientTopicTest {
    private static final String TOPIC = new Topics("levee").gradients();
    private static final long RUN = 1_700_000_000_000_000L;
    private static final int WORKERS = 7;
    private static final int BYZANTINE = 2;
    private static final int ROUNDS = 3;
    private static final int BLOCKS = 2;
    private static final int LENGTH = 300;

    @TempDir static Path directory;
    private static LocalKafka broker;

    private final KeyDirectory keys = new KeyDirectory(directory.resolve("keys"));
    private final KeyDirectory stolen = new KeyDirectory(directory.resolve("stolen"));
    private final float[][][][] gradients = gradients();
    // Timestamps are given, so that a round never crosses the end of a window.
    private final Instant begin =
            Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(30, ChronoUnit.MINUTES);

    @BeforeAll
    static void startBroker() throws Exception {
        broker = TestBroker.emptied();
        TestBroker.create(broker, new NewTopic(TOPIC, 2, (short) 1));
    }

    /** By round, block and worker; the last workers lie. */
    private static float[][][][] gradients() {
        Random random = new Random(11);
        float[][][][] all = new float[ROUNDS][BLOCKS][WORKERS][LENGTH];
        for (float[][][] round : all) {
            for (float[][] block : round) {
                for (int worker = 0; worker < WORKERS; worker++) {
                    float offset = worker < WORKERS - BYZANTINE ? 1 : -1000;
                    for (int i = 0; i < LENGTH; i++) {
                        block[worker][i] = offset + (float) random.nextGaussian();
                    }
                }
            }
        }
        return all;
    }

    @Test
    void topicsThatARunHasLostAreNamed() throws Exception {
        Topics topics = new Topics("lost");
        KafkaEdge edge =
                new KafkaEdge(
                        new KafkaAddress(broker.bootstrapServers(), Map.of()),
                        topics,
                        RUN,
                        RUN,
                        null,
                        null,
                        null,
                        Evaluator.NONE,
                        Map.of(0, 0L));
        TestBroker.create(
                broker,
                topics.all().stream()
                        .map(name -> new NewTopic(name, 1, (short) 1))
                        .toArray(NewTopic[]::new));
        assertThat(edge.trouble()).isEmpty();
        try (Admin admin = broker.admin()) {
            admin.deleteTopics(List.of(topics.models(), topics.states())).all().get();
        }
        Optional<String> gone =
                Optional.of(
                        "--bootstrap-servers %s: lost.models, lost.states are gone; pass --new to start over"
                                .formatted(broker.bootstrapServers()));
        // The broker shows a deletion a little after it acknowledges it.
        RunningJob.until("both are gone", () -> edge.trouble().equals(gone));
    }

    @Test
    void theStatementsInTheDocsHaveTheLibrarysBits() throws Exception {
        produce();
        TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
        tables.getConfig().set("parallelism.default", "2");
        tables.executeSql("LOAD MODULE levee");
        List<String> statements = statements();
        assertThat(statements).hasSize(2);
        String here =
                "ALTER TABLE gradients SET ('properties.bootstrap.servers' = '%s', 'scan.bounded.mode' = 'latest-offset', 'levee-gradient.keys' = '%s')"
                        .formatted(broker.bootstrapServers(), keys.path());
        tables.executeSql(statements.get(0));
        tables.executeSql(here);

        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> results = tables.executeSql(statements.get(1)).collect()) {
            results.forEachRemaining(rows::add);
        }

        rows.sort(
                Comparator.<Row, Long>comparing(row -> row.getFieldAs("round"))
                        .thenComparing(row -> row.<Integer>getFieldAs("block")));
        assertThat(rows).hasSize(ROUNDS * BLOCKS);
        for (int round = 0; round < ROUNDS; round++) {
            for (int block = 0; block < BLOCKS; block++) {
                Row row = rows.get(round * BLOCKS + block);
                assertThat(row.<Long>getFieldAs("run")).isEqualTo(RUN);
                assertThat(row.<Long>getFieldAs("round")).isEqualTo(round);
                assertThat(row.<Integer>getFieldAs("block")).isEqualTo(block);
                assertThat(unboxed(row.getFieldAs("aggregate")))
                        .isEqualTo(
                                Rules.aggregate(
                                        Rules.parse("multi-krum"),
                                        gradients[round][block],
                                        BYZANTINE,
                                        0));
            }
        }

        Path script = directory.resolve("gradients.sql");
        Files.writeString(script, String.join(";\n", statements.get(0), here, statements.get(1)));
        Path said = directory.resolve("said");
        try (LeveeProcess sql = LeveeProcess.start(said, "sql", "-f", script.toString())) {
            assertThat(sql.exitCode()).as(sql.said()).isZero();
            assertThat(sql.said()).contains(ROUNDS * BLOCKS + " rows in set");
        }
    }

    private static float[] unboxed(Float[] boxed) {
        float[] values = new float[boxed.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = boxed[i];
        }
        return values;
    }

    private static List<String> statements() throws IOException {
        String page =
                Files.readString(LeveeHome.find().directory().resolve("docs/how-to/flink.md"));
        String section = page.split("## Gradients in Kafka as a table", 2)[1].split("\n## ", 2)[0];
        return Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL)
                .matcher(section)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** A minute for each round; what is no gradient comes first and has the latest timestamps. */
    private void produce() throws Exception {
        for (int worker = 0; worker < WORKERS; worker++) {
            keys.generate(KeyDirectory.name(worker));
        }
        stolen.generate("w0");
        stolen.generate("w9");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", broker.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            List<Future<?>> sent = new ArrayList<>();
            Instant end = begin.plus(ROUNDS, ChronoUnit.MINUTES);
            for (int partition = 0; partition < BLOCKS; partition++) {
                byte[] cut = Arrays.copyOf(frame(keys, 0, 0, partition), 1000);
                byte[] altered = frame(keys, 0, 0, partition);
                altered[altered.length - 1] ^= 1;
                for (byte[] garbage :
                        Arrays.asList(
                                null,
                                new byte[0],
                                new byte[100_000],
                                cut,
                                altered,
                                frame(stolen, 0, 0, partition),
                                frame(stolen, 9, 0, partition))) {
                    sent.add(producer.send(record(partition, end, garbage)));
                }
            }
            for (int round = 0; round < ROUNDS; round++) {
                Instant at = begin.plus(round, ChronoUnit.MINUTES);
                for (int worker = 0; worker < WORKERS; worker++) {
                    for (int block = 0; block < BLOCKS; block++) {
                        byte[] frame = frame(keys, worker, round, block);
                        sent.add(producer.send(record(block, at.plusSeconds(worker), frame)));
                    }
                }
                byte[] again = frame(keys, 0, round, 0);
                sent.add(producer.send(record(0, at.plusSeconds(WORKERS), again)));
            }
            for (Future<?> each : sent) {
                each.get();
            }
        }
    }

    private static ProducerRecord<byte[], byte[]> record(int block, Instant at, byte[] value) {
        return new ProducerRecord<>(
                TOPIC, Topics.partition(block, BLOCKS), at.toEpochMilli(), null, value);
    }

    private byte[] frame(KeyDirectory signers, int worker, int round, int block) {
        float[] values = gradients[round][block][worker % WORKERS];
        return Frames.of(
                new GradientBlock(
                        Header.gradient(RUN, round, worker, new ShardId(0, block)),
                        0.5,
                        0,
                        0,
                        values),
                BLOCKS,
                signers.signing(KeyDirectory.name(worker)));
    }
}
