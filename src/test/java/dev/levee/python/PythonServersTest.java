package dev.levee.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.RunningJob;
import dev.levee.WorkerThread;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.job.Evaluator;
import dev.levee.connectors.kafka.job.KafkaSetup;
import dev.levee.connectors.kafka.job.RunKeys;
import dev.levee.connectors.kafka.job.TopicPlan;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.worker.ExternalWorker;
import dev.levee.connectors.kafka.worker.TrainingResolver;
import dev.levee.connectors.kafka.worker.TrustedServers;
import dev.levee.gar.Aggregator;
import dev.levee.gar.Attacks;
import dev.levee.gar.RuleState;
import dev.levee.gar.Rules;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.kafka.TestBroker;
import dev.levee.learners.Models;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Reading;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Workers in Python that read several servers of which one lies. */
@Timeout(value = 12, unit = TimeUnit.MINUTES)
class PythonServersTest {
    private static final int COORDINATES = 3000;

    @TempDir Path temporary;

    /** Keeps what a run came to where this process finds it. */
    private record Kept() implements RunSink {
        private static final AtomicReference<RunResult> RESULT = new AtomicReference<>();

        @Override
        public void finished(RunResult result) {
            RESULT.set(result);
        }
    }

    private static String hex(float[][] rows) {
        ByteBuffer bytes =
                ByteBuffer.allocate(rows.length * rows[0].length * Float.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (float[] row : rows) {
            for (float value : row) {
                bytes.putFloat(value);
            }
        }
        return HexFormat.of().formatHex(bytes.array());
    }

    /** Values with many that are equal, zeros of both signs, and some that are very large. */
    private static float[][] models(int count) {
        SplittableRandom random = new SplittableRandom(count);
        float[] common = {0f, -0f, 1e30f, -1e-30f, 0.1f};
        float[][] models = new float[count][COORDINATES];
        for (float[] model : models) {
            for (int i = 0; i < COORDINATES; i++) {
                model[i] =
                        random.nextBoolean()
                                ? common[random.nextInt(common.length)]
                                : (float) random.nextDouble(-2, 2);
            }
        }
        return models;
    }

    @Test
    void itsRulesHaveTheBitsOfLevees() throws Exception {
        PythonPackage.assumeModules("numpy, cryptography", temporary.resolve("modules"));
        assertBitsAreLevees(
                List.of("median", "median(lower)", "trimmed-mean", "meamed", "phocas", "average"),
                new int[][] {{3, 1}, {2, 0}, {4, 1}, {5, 2}, {7, 1}});
    }

    /** The last one draws, by the servers' version. */
    @Test
    void rulesThatLookAtWholeModelsHaveThemToo() throws Exception {
        PythonPackage.assumeModules("numpy, cryptography, jpype", temporary.resolve("modules"));
        assertBitsAreLevees(
                List.of("krum", "geometric-median", "nnm | median", "bucketing(2) | median"),
                new int[][] {{7, 1}});
    }

    private void assertBitsAreLevees(List<String> rules, int[][] sizes) throws Exception {
        String script =
                """
                import sys
                import numpy as np
                from levee.server_rules import combined

                for line in open(sys.argv[1]):
                    name, count, f, rows = line.rstrip().split(";")
                    models = np.frombuffer(bytes.fromhex(rows), "<f4").reshape(int(count), -1)
                    print(combined(name, models, int(f), 6).tobytes().hex())
                """;
        StringBuilder asked = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (String name : rules) {
            for (int[] each : sizes) {
                float[][] models = models(each[0]);
                asked.append("%s;%d;%d;%s\n".formatted(name, each[0], each[1], hex(models)));
                float[] made =
                        new Aggregator(Rules.parse(name), each[1], 1)
                                .resume(6, RuleState.NONE)
                                .aggregate(models);
                expected.add(hex(new float[][] {made}));
            }
        }
        Path input = Files.writeString(temporary.resolve("rows"), asked);
        Path output = temporary.resolve("said");
        Process process = PythonPackage.command(output, "-c", script, input.toString()).start();
        assertThat(PythonPackage.end(process)).as(Files.readString(output)).isZero();
        assertThat(Files.readAllLines(output)).containsExactlyElementsOf(expected);
    }

    private static TrainingBuilder training(String run) {
        return new TrainingBuilder(
                        run,
                        "strokes:?train=100&test=100",
                        Models.open("logistic", new int[] {1, 28, 28}, 10),
                        Rules.parse("median"),
                        3,
                        0)
                .work(new GradientWork(0))
                .rounds(12);
    }

    private Path samples(String worker) throws Exception {
        SplittableRandom random = new SplittableRandom(worker.hashCode());
        StringBuilder rows = new StringBuilder();
        for (int row = 0; row < 20; row++) {
            for (int feature = 0; feature < 784; feature++) {
                rows.append((float) random.nextDouble()).append(',');
            }
            rows.append(row % 10).append('\n');
        }
        return Files.writeString(temporary.resolve(worker + ".csv"), rows);
    }

    private static boolean each(Training training) {
        Topology topology = training.topology();
        return topology.servers() > 1 && topology.reading() == Reading.PER_SERVER;
    }

    private ProcessBuilder inPython(
            LocalKafka broker, KeyDirectory keys, Training training, String id) throws Exception {
        String run = training.runId();
        int servers = training.topology().servers();
        return PythonPackage.command(
                temporary.resolve("said"),
                "-m",
                "levee.command",
                "--id=" + id,
                "--bootstrap-servers=" + broker.bootstrapServers(),
                "--run=" + run,
                "--keys=" + keys.path(),
                "--data=" + samples(id),
                "--state=" + temporary.resolve(run + "." + id),
                "--momentum=0",
                "--timeout=60",
                "--servers=" + servers,
                "--byzantine-servers=" + servers / 2,
                "--worker-models=" + (each(training) ? "per-server" : "aggregate"));
    }

    /** Worker 0, or its part for one of the servers. */
    private WorkerThread inJava(
            LocalKafka broker, KeyDirectory keys, Training training, TrustedServers servers) {
        String run = training.runId();
        return new WorkerThread(
                broker,
                new Topics(run),
                new ExternalWorker.Options(
                        0,
                        keys.signing("w0"),
                        null,
                        servers,
                        training,
                        TrainingResolver.OF_GRADIENTS,
                        Duration.ZERO,
                        Duration.ofSeconds(2),
                        temporary.resolve(run + ".w0." + servers.only())));
    }

    /**
     * What a run comes to whose workers are one in Java and two in Python; one of them is killed.
     */
    private RunResult ofThreeWorkers(LocalKafka broker, KeyDirectory keys, Training training)
            throws Exception {
        String run = training.runId();
        int servers = training.topology().servers();
        RunKeys of = RunKeys.of(keys, 3, Evaluator.NONE.worker(), servers);
        KafkaSetup setup =
                KafkaSetup.of(
                        new KafkaAddress(broker.bootstrapServers(), Map.of()),
                        new Topics(run),
                        new TopicPlan(2, (short) -1, Duration.ofHours(1)),
                        new KafkaSetup.Request(training, of, false, false, Evaluator.NONE),
                        Clock.systemUTC());
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(2);
        TrainingJob.serve(environment, training, setup.edge(), new Kept());
        JobClient job = environment.executeAsync(run);
        List<ProcessBuilder> builders = new ArrayList<>();
        for (String id : List.of("w1", "w2")) {
            builders.add(inPython(broker, keys, training, id));
        }
        List<Process> processes = new ArrayList<>();
        List<WorkerThread> threads = new ArrayList<>();
        ServerRing ring = new ServerRing(of.job(), of.serverRing());
        TrustedServers all = new TrustedServers(ring, servers / 2, TrustedServers.PATIENCE);
        try {
            for (int server = 0; server < (each(training) ? servers : 1); server++) {
                TrustedServers read = each(training) ? all.only(server) : all;
                threads.add(inJava(broker, keys, training, read));
            }
            for (ProcessBuilder each : builders) {
                processes.add(each.start());
            }
            Path state = temporary.resolve(run + ".w1" + (each(training) ? ".s1" : ""));
            RunningJob.until("an answer of w1", () -> Files.exists(state));
            processes.get(0).destroyForcibly().waitFor();
            processes.set(0, builders.get(0).start());
            for (WorkerThread each : threads) {
                assertThat(each.over()).isTrue();
            }
            job.getJobExecutionResult().get();
            for (Process each : processes) {
                assertThat(PythonPackage.end(each))
                        .as(Files.readString(temporary.resolve("said")))
                        .isZero();
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
            for (WorkerThread each : threads) {
                each.close();
            }
        }
        return Kept.RESULT.getAndSet(null);
    }

    @Test
    @Tag("cluster")
    void withServersOfWhichOneLiesARunHasTheBitsOfOneHonestServer() throws Exception {
        PythonPackage.assumeModules(
                "numpy, cryptography, confluent_kafka", temporary.resolve("modules"));
        KeyDirectory keys = new KeyDirectory(temporary.resolve("keys"));
        for (String name : List.of(KeyDirectory.JOB, "w0", "w1", "w2", "s0", "s1", "s2")) {
            keys.generate(name);
        }
        Exchange exchange =
                new Exchange(
                        Rules.parse("median"),
                        1,
                        1,
                        Contraction.NONE,
                        new Attackers(Attacks.parse("reversed"), 1));
        LocalKafka broker = TestBroker.emptied();
        RunResult one = ofThreeWorkers(broker, keys, training("pythonone").build());
        for (Reading reading : List.of(Reading.AGGREGATE, Reading.PER_SERVER)) {
            Topology topology = new Topology(3, reading, exchange);
            Training training = training("python" + reading.ordinal()).topology(topology).build();
            RunResult three = ofThreeWorkers(broker, keys, training);
            for (int honest = 0; honest < 2; honest++) {
                assertThat(three.servers().get(honest).parameters()).isEqualTo(one.parameters());
            }
            assertThat(three.rounds())
                    .allSatisfy(round -> assertThat(round.rows()).containsExactly(0, 1, 2));
        }
    }
}
