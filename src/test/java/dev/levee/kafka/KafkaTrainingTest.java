package dev.levee.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.CommandRun;
import dev.levee.LeveeProcess;
import dev.levee.Pace;
import dev.levee.RunningJob;
import dev.levee.SharedCluster;
import dev.levee.TestCluster;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.federated.plan.DecisionLog;
import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * A broker, a cluster of two TaskManagers and each participant that is killed, in processes of
 * their own; participants to which nothing happens are commands in this one. Whatever happens and
 * whatever others write to the topic, versions come once and in order, and a synchronous run ends
 * with the bits of a run that nobody disturbed.
 */
@ExtendWith(SharedCluster.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
public abstract class KafkaTrainingTest {
    private static final int WORKERS = 8;
    private static final int ROUNDS = 60;
    private static final String DATA = "strokes:?train=2000&test=500";

    @TempDir static Path directory;
    private static LocalKafka broker;
    private static LocalCluster cluster;
    private static KafkaAddress kafka;
    private static Pace pace;
    private static KeyDirectory keys;
    private static JsonNode undisturbed;
    private static List<byte[]> yesterday;

    @BeforeAll
    static void startAndTrainUndisturbed(LocalCluster shared) throws Exception {
        broker = TestBroker.emptied();
        kafka = new KafkaAddress(broker.bootstrapServers(), Map.of());
        cluster = shared;
        pace = new Pace(directory.resolve("pace"));
        keys = new KeyDirectory(directory.resolve("keys"));
        keys.generate(KeyDirectory.JOB);
        for (int worker = 0; worker < WORKERS; worker++) {
            keys.generate(KeyDirectory.name(worker));
        }
        CommandRun serve = serve("yesterday");
        CommandRun workers = CommandRun.start(worker("yesterday", "w0-w7"));
        assertThat(serve.exitCode()).isZero();
        assertEndsWell(workers);
        undisturbed = CommandRun.summary(directory.resolve("yesterday"));
        assertThat(undisturbed.path("finalAccuracy").asDouble()).isGreaterThan(0.6);
        yesterday = records(new Topics("yesterday").gradients());
        // On a slow machine some are sent again, with the same bytes.
        assertThat(yesterday.stream().map(ByteBuffer::wrap).distinct()).hasSize(WORKERS * ROUNDS);
    }

    private static CommandRun serve(String run) {
        return CommandRun.start(
                "serve",
                "--target",
                cluster.restUrl().toString(),
                "--bootstrap-servers",
                kafka.bootstrapServers(),
                "--run",
                run,
                "--keys",
                keys.path().toString(),
                "--dataset",
                DATA,
                "--model",
                pace.model(),
                "--workers",
                String.valueOf(WORKERS),
                "--byzantine",
                "2",
                "--aggregator",
                "multi-krum",
                "--batch-size",
                "50",
                "--rounds",
                String.valueOf(ROUNDS),
                "--parallelism",
                "2",
                "--checkpoint-interval",
                "1s",
                "--output",
                directory.resolve(run).toString());
    }

    private static String[] worker(String run, String ids) {
        return new String[] {
            "worker",
            "--ids=" + ids,
            "--bootstrap-servers=" + kafka.bootstrapServers(),
            "--run=" + run,
            "--keys=" + keys.path(),
            "--dataset=" + DATA,
            "--model=" + pace.model(),
            "--resend-after=2s",
            "--state=" + directory.resolve(run + ".state")
        };
    }

    /** A participant that is to be killed, in a process of its own. */
    private static LeveeProcess process(String run, String ids, String... command)
            throws Exception {
        return LeveeProcess.start(directory.resolve(run + "-" + ids + ".out"), command);
    }

    private static void assertEndsWell(CommandRun run) throws Exception {
        assertThat(run.exitCode()).as(run.said()).isZero();
    }

    private static void assertEndsWell(LeveeProcess process) throws Exception {
        assertThat(process.exitCode()).as(process.said()).isZero();
    }

    private static List<byte[]> records(String topic) {
        List<byte[]> values = new ArrayList<>();
        try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka)) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(info -> new TopicPartition(topic, info.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> end = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < end.get(p))) {
                for (ConsumerRecord<byte[], byte[]> record :
                        consumer.poll(Duration.ofMillis(200))) {
                    values.add(record.value());
                }
            }
        }
        return values;
    }

    /** Noise, yesterday's records, and records of today in the names of others. */
    private static List<byte[]> rubbish(VersionWatch watch, long run, SplittableRandom random) {
        List<byte[]> rubbish = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            byte[] noise = new byte[random.nextInt(2000)];
            random.nextBytes(noise);
            rubbish.add(noise);
        }
        for (int i = 0; i < 20; i++) {
            rubbish.add(yesterday.get(random.nextInt(yesterday.size())));
        }
        SigningKey mallory =
                keys.signing(KeyDirectory.name(7)).towards(keys.verifying(KeyDirectory.JOB));
        int length = Frame.read(yesterday.get(0)).orElseThrow().length();
        for (int i = 0; i < 20; i++) {
            // Worker 7 speaks in the names of others, and in that of one that does not exist.
            int worker = random.nextInt(WORKERS + 1);
            Header header =
                    Header.gradient(
                            run,
                            watch.newest(),
                            worker == 7 ? WORKERS + 5 : worker,
                            new ShardId(0, 0));
            float[] values = new float[length];
            Arrays.fill(values, Float.NaN);
            rubbish.add(Frames.of(new GradientBlock(header, 0, 0, 0, values), 1, mallory));
        }
        return rubbish;
    }

    @Test
    void aStormChangesNoBit() throws Exception {
        Topics topics = new Topics("storm");
        pace.hold();
        CommandRun serve = serve("storm");
        LeveeProcess one = process("storm", "w3", worker("storm", "w3"));
        CommandRun others = CommandRun.start(worker("storm", "w0-w2,w4-w7"));
        try (VersionWatch watch = VersionWatch.start(kafka, topics.models())) {
            advance(watch, 6);
            pace.hold();
            long run = Frame.read(records(topics.models()).get(0)).orElseThrow().run();
            SplittableRandom random = new SplittableRandom(4);
            try (Flood flood =
                    Flood.start(kafka, topics.gradients(), () -> rubbish(watch, run, random))) {
                loseATaskManager(watch, 5);
                one.kill();
                one = process("storm", "w3", worker("storm", "w3"));
                broker.kill();
                broker.restart();
                advance(watch, 5);
                pace.hold();
                RunningJob.until("a flood", () -> flood.records() > 10_000);
            }
            assertThat(serve.ended()).isFalse();
            pace.goOn();
            assertThat(serve.exitCode()).isZero();
            assertEndsWell(one);
            assertEndsWell(others);
            RunningJob.until("the last version", () -> watch.newest() >= ROUNDS);
            assertThat(watch.versions())
                    .isEqualTo(Map.of(0, LongStream.rangeClosed(0, ROUNDS).boxed().toList()));
        } finally {
            one.close();
        }
        JsonNode summary = CommandRun.summary(directory.resolve("storm"));
        assertThat(summary.path("parametersSha256"))
                .isEqualTo(undisturbed.path("parametersSha256"));
        assertThat(summary.path("finalAccuracy")).isEqualTo(undisturbed.path("finalAccuracy"));
        for (String reason : List.of("malformed", "foreign-run", "forged", "unknown-worker")) {
            long records = 0;
            for (JsonNode worker : summary.path("workers")) {
                records += worker.path("rejected").path(reason).asLong();
            }
            assertThat(records).as(reason).isPositive();
        }
    }

    private static CommandRun federate(String run, String... where) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "federate",
                                "--algorithm=fedbuff",
                                "--buffer=2",
                                "--devices=3",
                                "--partition=iid",
                                "--local-steps=3",
                                "--model=" + pace.model(),
                                "--rounds=60",
                                "--dataset=" + DATA,
                                "--output=" + directory.resolve(run)));
        arguments.addAll(List.of(where));
        return CommandRun.start(arguments.toArray(new String[0]));
    }

    private static String[] devices(String run, String ids) {
        return new String[] {
            "device",
            "--ids=" + ids,
            "--bootstrap-servers=" + kafka.bootstrapServers(),
            "--run=" + run,
            "--keys=" + keys.path(),
            "--dataset=" + DATA,
            "--model=" + pace.model(),
            "--state=" + directory.resolve(run + ".state")
        };
    }

    private static CommandRun average(String run, String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "federate",
                                "--sampling=uniform",
                                "--devices=5",
                                "--per-round=4",
                                "--weighting=kl",
                                "--local-steps=3",
                                "--model=" + pace.model(),
                                "--rounds=40",
                                "--dataset=" + DATA,
                                "--output=" + directory.resolve(run)));
        arguments.addAll(List.of(more));
        return CommandRun.start(arguments.toArray(new String[0]));
    }

    private static float[] parameters(String run) throws Exception {
        Dataset data = Datasets.open(DATA, Datasets.Split.TEST);
        return RunFiles.readModel(
                new org.apache.flink.core.fs.Path(
                        directory.resolve(run).resolve("model.npz").toUri()),
                Models.open("logistic", data.shape(), data.classes()).layout());
    }

    /**
     * Of four devices a round, one is killed and comes back, and so does a TaskManager: the model
     * is that of a run in the open, but for the rounding of each part to 2⁻²⁴.
     */
    @Test
    void aSecureSumIsThatOfARunInTheOpenWhateverDies() throws Exception {
        pace.goOn();
        assertThat(average("open").exitCode()).isZero();
        pace.hold();
        CommandRun federate =
                average(
                        "summed",
                        "--secure-sum",
                        "--target=" + cluster.restUrl(),
                        "--bootstrap-servers=" + kafka.bootstrapServers(),
                        "--run=summed",
                        "--keys=" + keys.path(),
                        "--parallelism=2",
                        "--checkpoint-interval=1s");
        LeveeProcess one = process("summed", "w0", devices("summed", "w0"));
        CommandRun others = CommandRun.start(devices("summed", "w1-w4"));
        Topics topics = new Topics("summed");
        try (VersionWatch watch = VersionWatch.start(kafka, topics.models())) {
            loseATaskManager(watch, 5);
            one.kill();
            one = process("summed", "w0", devices("summed", "w0"));
            assertThat(federate.ended()).isFalse();
            pace.goOn();
            assertThat(federate.exitCode()).isZero();
            assertEndsWell(one);
            assertEndsWell(others);
        } finally {
            one.close();
        }
        JsonNode open = CommandRun.summary(directory.resolve("open"));
        JsonNode summed = CommandRun.summary(directory.resolve("summed"));
        assertThat(summed.path("asked")).isEqualTo(open.path("asked"));
        assertThat(summed.has("lostRounds")).isFalse();
        float[] expected = parameters("open");
        float[] found = parameters("summed");
        for (int i = 0; i < expected.length; i++) {
            // Forty sums of four parts, each rounded by 2⁻²⁵ at most, and what training makes of
            // it.
            assertThat(found[i]).isCloseTo(expected[i], within(1e-4f));
        }
        for (byte[] record : records(topics.gradients())) {
            assertThat(Frame.read(record).orElseThrow().gradient().header().encoding())
                    .isEqualTo(Header.MASKED);
        }
    }

    /** A device of the run "behind" that reaches no broker. */
    private static CommandRun behindGateway(String name, String address) {
        return CommandRun.start(
                "device",
                "--ids=" + name,
                "--gateway=" + address,
                "--run=behind",
                "--keys=" + keys.path(),
                "--dataset=" + DATA,
                "--model=" + pace.model(),
                "--resend-after=1h",
                "--state=" + directory.resolve("behind-gateway-" + name + ".state"));
    }

    /**
     * Two of five devices know nothing but the address of a gateway, one for HTTPS and one for
     * gRPC, which is killed. They send nothing again that was acknowledged, so a contribution that
     * a gateway had acknowledged and lost would hold the run up for ever. The model, and the scores
     * of the devices' own models, are those of a run inside the job.
     */
    @Test
    void devicesBehindAGatewayEndWithTheBitsOfARunInsideTheJob() throws Exception {
        pace.goOn();
        assertThat(average("inside", "--personal=ditto(lambda=0.5)").exitCode()).isZero();
        pace.hold();
        GatewayProcess gateway = new GatewayProcess(directory, keys.path());
        gateway.start(kafka.bootstrapServers(), "behind");
        assertThat(
                        CommandRun.start(
                                        "accounts",
                                        "offer",
                                        "w0-w1",
                                        "--dir=" + keys.path(),
                                        "--run=behind",
                                        "--bootstrap-servers=" + kafka.bootstrapServers())
                                .exitCode())
                .isZero();
        CommandRun federate =
                average(
                        "behind",
                        "--personal=ditto(lambda=0.5)",
                        "--target=" + cluster.restUrl(),
                        "--bootstrap-servers=" + kafka.bootstrapServers(),
                        "--run=behind",
                        "--keys=" + keys.path(),
                        "--parallelism=2");
        CommandRun others = CommandRun.start(devices("behind", "w2-w4"));
        CommandRun https = behindGateway("w0", gateway.address());
        CommandRun grpc = behindGateway("w1", gateway.grpcAddress());
        try (VersionWatch watch = VersionWatch.start(kafka, new Topics("behind").models())) {
            advance(watch, 5);
            gateway.kill();
            gateway.start(kafka.bootstrapServers(), "behind");
            assertThat(federate.ended()).isFalse();
            pace.goOn();
            assertThat(federate.exitCode()).isZero();
            assertEndsWell(https);
            assertEndsWell(grpc);
            assertEndsWell(others);
        } finally {
            gateway.close();
        }
        JsonNode behind = CommandRun.summary(directory.resolve("behind"));
        JsonNode inside = CommandRun.summary(directory.resolve("inside"));
        assertThat(behind.path("parametersSha256")).isEqualTo(inside.path("parametersSha256"));
        assertThat(behind.path("deviceScores").path("devices")).hasSize(5);
        assertThat(behind.path("deviceScores")).isEqualTo(inside.path("deviceScores"));
    }

    /** Everything that is on a topic, once more. */
    private static void sendAgain(String topic) {
        try (Producer<byte[], byte[]> producer = KafkaClients.producer(kafka)) {
            records(topic).forEach(each -> producer.send(new ProducerRecord<>(topic, each)));
        }
    }

    @Test
    void withoutABarrierEachContributionCountsOnceAndTheLogTellsTheRunAgain() throws Exception {
        Topics topics = new Topics("arrivals");
        pace.hold();
        CommandRun federate =
                federate(
                        "arrivals",
                        "--target=" + cluster.restUrl(),
                        "--bootstrap-servers=" + kafka.bootstrapServers(),
                        "--run=arrivals",
                        "--keys=" + keys.path(),
                        "--parallelism=2",
                        "--checkpoint-interval=1s");
        LeveeProcess one = process("arrivals", "w0", devices("arrivals", "w0"));
        CommandRun others = CommandRun.start(devices("arrivals", "w1-w2"));
        try (VersionWatch watch = VersionWatch.start(kafka, topics.models())) {
            loseATaskManager(watch, 5);
            pace.hold();
            one.kill();
            one = process("arrivals", "w0", devices("arrivals", "w0"));
            sendAgain(topics.gradients());
            advance(watch, 5);
            assertThat(federate.ended()).isFalse();
            pace.goOn();
            assertThat(federate.exitCode()).isZero();
            assertEndsWell(one);
            assertEndsWell(others);
        } finally {
            one.close();
        }
        JsonNode summary = CommandRun.summary(directory.resolve("arrivals"));
        Path decisions = directory.resolve("arrivals/decisions.csv");
        // A log in which a contribution counts twice is none.
        DecisionLog log = DecisionLog.parse(Files.readAllLines(decisions));
        assertThat(log.rounds()).hasSize(60).allSatisfy(round -> assertThat(round).hasSize(2));
        long counted = 0;
        for (JsonNode each : summary.path("stalenessHistogram")) {
            counted += each.asLong();
        }
        assertThat(counted).isEqualTo(120);
        assertThat(federate("again", "--replay=" + decisions).exitCode()).isZero();
        assertThat(CommandRun.summary(directory.resolve("again")).path("parametersSha256"))
                .isEqualTo(summary.path("parametersSha256"));
    }

    /** One of two, after so many versions and a checkpoint; then so many more versions. */
    private static void loseATaskManager(VersionWatch watch, int versions) throws Exception {
        RunningJob job = RunningJob.await(cluster);
        advance(watch, versions);
        pace.hold();
        job.awaitCheckpoints(1);
        advance(watch, 1);
        TestCluster.killTaskManager(cluster);
        pace.hold();
        cluster.addTaskManager();
        advance(watch, versions);
    }

    /**
     * Lets a run go on for so many versions. A test that does something which takes long while the
     * run could go on holds it first, so that it does not end before the next disturbance.
     */
    private static void advance(VersionWatch watch, int versions) throws Exception {
        long version = watch.newest() + versions;
        pace.millisecondsPerGradient(200);
        RunningJob.until("version " + version, () -> watch.newest() >= version);
    }
}
