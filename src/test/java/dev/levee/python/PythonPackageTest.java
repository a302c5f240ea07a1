package dev.levee.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.OutsideJob;
import dev.levee.RunningJob;
import dev.levee.WorkerThread;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.job.Evaluator;
import dev.levee.connectors.kafka.job.KafkaSetup;
import dev.levee.connectors.kafka.job.RunKeys;
import dev.levee.connectors.kafka.job.TopicPlan;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.worker.ExternalWorker;
import dev.levee.connectors.kafka.worker.TrustedServers;
import dev.levee.federated.Federation;
import dev.levee.federated.LocalTraining;
import dev.levee.federated.OwnData;
import dev.levee.federated.WithoutBarrier;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.plan.Asynchrony;
import dev.levee.federated.plan.StalenessWeight;
import dev.levee.federated.privacy.Privacy;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Rules;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.config.federated.DeviceWork;
import dev.levee.kafka.TestBroker;
import dev.levee.learners.Models;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** The package in {@code python/}: its own tests, and its command with a real broker. */
class PythonPackageTest {
    private static final long RUN = 1_700_000_000_000_000L;

    @TempDir Path temporary;

    private ProcessBuilder python(Path output, String... arguments) {
        return PythonPackage.command(output, arguments);
    }

    private static int end(Process process) throws InterruptedException {
        return PythonPackage.end(process);
    }

    private void assumeModules(String modules) throws Exception {
        PythonPackage.assumeModules(modules, temporary.resolve("modules"));
    }

    @Tag("long")
    @Test
    void itsOwnTestsPass() throws Exception {
        assumeModules("numpy, cryptography");
        Path output = temporary.resolve("tests");
        int code =
                end(python(output, "-m", "unittest", "discover", "-t", ".", "-s", "tests").start());
        assertThat(code).as(Files.readString(output)).isZero();
        assertThat(Files.readString(output)).containsPattern("Ran [1-9][0-9]+ tests");
    }

    private static Settings settings(boolean stop) {
        return new Settings(Cohort.first(4), 0, 4, 5, 0.5, stop, false, 0);
    }

    @Test
    @Tag("cluster")
    void aCommandAnswersAndGoesOnAfterItWasKilled() throws Exception {
        assumeModules("numpy, cryptography, confluent_kafka");
        KeyDirectory keys = new KeyDirectory(temporary.resolve("keys"));
        keys.generate(KeyDirectory.JOB);
        keys.generate("w3");
        Path data = temporary.resolve("rows.csv");
        Files.writeString(data, "1,2,0\n-1,0.5,1\n3,-4,1\n");
        Topics topics = new Topics("python");
        Slices slices = Slices.of(Models.open("logistic", new int[] {2}, 2).layout());
        Path output = temporary.resolve("said");
        LocalKafka broker = TestBroker.emptied();
        ProcessBuilder worker =
                python(
                        output,
                        "-m",
                        "levee.command",
                        "--id=w3",
                        "--bootstrap-servers=" + broker.bootstrapServers(),
                        "--run=python",
                        "--keys=" + keys.path(),
                        "--data=" + data,
                        "--state=" + temporary.resolve("state"),
                        "--timeout=60");
        Process process = worker.start();
        try (OutsideJob job =
                new OutsideJob(broker, topics, slices, keys.signing(KeyDirectory.JOB))) {
            job.publish(RUN, 0, new float[6], settings(false));
            // All logits are equal: every sample moves its own class's bias by minus a half.
            float[] first = job.answer(RUN, 0, 3, 1);
            assertThat(first[4] + first[5]).isZero();
            process.destroyForcibly().waitFor();
            process = worker.start();
            assertThat(job.answer(RUN, 0, 3, 2)).isEqualTo(first);
            for (int block = 0; block < slices.count(); block++) {
                assertThat(job.frames(RUN, 0, 3, block).get(1).checksum())
                        .isEqualTo(job.frames(RUN, 0, 3, block).get(0).checksum());
            }
            job.publish(RUN, 1, new float[] {1, 2, 3, 4, 5, 6}, settings(false));
            assertThat(job.answer(RUN, 1, 3, 1)).isNotEqualTo(first);
            job.publish(RUN, 2, new float[6], settings(true));
            assertThat(end(process)).as(Files.readString(output)).isZero();
            assertThat(Files.readString(output)).contains("The run is over with version 2.");
        } finally {
            process.destroyForcibly();
        }
    }

    /** What a federated job tells devices. */
    private static final String WORK =
            """
            weighting: samples
            local-steps: 2
            learning-rate: 0.1
            schedule: constant
            local-optimizer: sgd
            algorithm: fedbuff
            server-step: sgd
            """;

    /** A device that knows logistic regression, on samples of its own. */
    private static final String DEVICE =
            """
            import sys
            import numpy as np
            from levee import Device
            from levee.logistic import gradient

            id, servers, keys, state, run = sys.argv[1:]
            own = np.random.default_rng(int(id[1:]))
            x, y = own.standard_normal((40, 784)).astype(np.float32), own.integers(10, size=40)

            def train(w, work):
                losses = []
                for _ in range(work.batches(len(y))):
                    slope, loss = gradient(w, x, y)
                    losses.append(loss)
                    w = w - np.float32(work.learning_rate) * slope
                return w, float(np.mean(losses)), len(y)

            with Device(id, servers, keys, run=run, state=state, timeout=60) as device:
                while not device.train(train).over:
                    pass
            print("over")
            """;

    /** Keeps what a run came to where this process finds it. */
    private record Kept() implements RunSink {
        private static final AtomicReference<RunResult> RESULT = new AtomicReference<>();

        @Override
        public void finished(RunResult result) {
            RESULT.set(result);
        }
    }

    private static Training arriving() {
        Federation federation =
                new Federation(
                                new Participation(Sampling.parse("uniform"), 1, Weighting.SAMPLES),
                                LocalTraining.sgd(new LocalSteps.Steps(2), 0.1),
                                ServerSteps.parse("sgd", 1))
                        .with(
                                new WithoutBarrier.Arriving(
                                        new Asynchrony(
                                                2, StalenessWeight.parse("polynomial(0.5)"), 20)));
        return federation.ofOwnData(
                new TrainingBuilder(
                                "arrivals",
                                "strokes:?train=100&test=100",
                                Models.open("logistic", new int[] {1, 28, 28}, 10),
                                Rules.parse("average"),
                                2,
                                0)
                        .partition(OwnData.ALL)
                        .rounds(12)
                        .build(),
                100);
    }

    @Test
    @Tag("cluster")
    void devicesComeAndGoInARunWithoutABarrier() throws Exception {
        assumeModules("numpy, cryptography, confluent_kafka");
        KeyDirectory keys = new KeyDirectory(temporary.resolve("keys"));
        keys.generate(KeyDirectory.JOB);
        keys.generate("w0");
        keys.generate("w1");
        Path script = Files.writeString(temporary.resolve("device.py"), DEVICE);
        Path output = temporary.resolve("said");
        List<Process> devices = new ArrayList<>();
        LocalKafka broker = TestBroker.emptied();
        try {
            Training training = arriving();
            KafkaSetup setup =
                    KafkaSetup.of(
                            new KafkaAddress(broker.bootstrapServers(), Map.of()),
                            new Topics("arrivals"),
                            new TopicPlan(1, (short) -1, Duration.ofHours(1)),
                            new KafkaSetup.Request(
                                    training,
                                    RunKeys.of(keys, 2),
                                    false,
                                    false,
                                    Evaluator.NONE,
                                    WORK),
                            Clock.systemUTC());
            StreamExecutionEnvironment environment =
                    StreamExecutionEnvironment.createLocalEnvironment(1);
            TrainingJob.serve(environment, training, setup.edge(), new Kept());
            JobClient job = environment.executeAsync("arrivals");
            List<ProcessBuilder> builders = new ArrayList<>();
            for (String id : List.of("w0", "w1")) {
                builders.add(
                        python(
                                output,
                                script.toString(),
                                id,
                                broker.bootstrapServers(),
                                keys.path().toString(),
                                temporary.resolve(id + ".state").toString(),
                                "arrivals"));
                devices.add(builders.get(devices.size()).start());
            }
            RunningJob.until("an answer of w0", () -> Files.exists(temporary.resolve("w0.state")));
            devices.get(0).destroyForcibly().waitFor();
            devices.set(0, builders.get(0).start());
            job.getJobExecutionResult().get();
            for (Process each : devices) {
                assertThat(end(each)).as(Files.readString(output)).isZero();
            }
        } finally {
            devices.forEach(Process::destroyForcibly);
        }
        RunResult result = Kept.RESULT.getAndSet(null);
        // A version needs both, so it waited for the one that was killed.
        assertThat(result.rounds())
                .hasSize(12)
                .allSatisfy(round -> assertThat(round.rows()).containsExactly(0, 1))
                .allSatisfy(round -> assertThat(round.ages()).containsExactly(0, 0));
        assertThat(result.rounds().get(11).loss()).isLessThan(result.rounds().get(0).loss());
    }

    private static Training averaging(boolean secure) {
        Federation federation =
                new Federation(
                                new Participation(Sampling.parse("uniform"), 3, Weighting.EQUAL),
                                LocalTraining.sgd(new LocalSteps.Steps(2), 0.1),
                                ServerSteps.parse("sgd", 1))
                        .with(secure ? Privacy.NONE.with(Masking.PAIRWISE) : Privacy.NONE);
        return federation.ofOwnData(brought().rounds(8).build(), 100);
    }

    private static TrainingBuilder brought() {
        return new TrainingBuilder(
                        "summed",
                        "strokes:?train=100&test=100",
                        Models.open("logistic", new int[] {1, 28, 28}, 10),
                        Rules.parse("average"),
                        3,
                        0)
                .partition(OwnData.ALL);
    }

    /**
     * The model of a run over a device in Java and two in Python, which trust each other's keys.
     */
    private float[] ofThreeDevices(
            LocalKafka broker, KeyDirectory keys, Path script, boolean secure) throws Exception {
        Training training = averaging(secure);
        String run = secure ? "secure" : "open";
        String work =
                """
                partition: all
                weighting: equal
                local-steps: 2
                learning-rate: 0.1
                schedule: constant
                local-optimizer: sgd
                seed: 1
                """
                        + (secure ? "secure-sum: true\n" : "");
        KafkaSetup setup =
                KafkaSetup.of(
                        new KafkaAddress(broker.bootstrapServers(), Map.of()),
                        new Topics(run),
                        new TopicPlan(1, (short) -1, Duration.ofHours(1)),
                        new KafkaSetup.Request(
                                training, RunKeys.of(keys, 3), false, false, Evaluator.NONE, work),
                        Clock.systemUTC());
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(1);
        TrainingJob.serve(environment, training, setup.edge(), new Kept());
        JobClient job = environment.executeAsync(run);
        Path output = temporary.resolve("said");
        List<Process> devices = new ArrayList<>();
        try (WorkerThread inJava =
                new WorkerThread(
                        broker,
                        new Topics(run),
                        new ExternalWorker.Options(
                                0,
                                keys.signing("w0"),
                                keys,
                                TrustedServers.one(keys.verifying(KeyDirectory.JOB)),
                                brought().build(),
                                new DeviceWork(),
                                Duration.ZERO,
                                Duration.ofSeconds(2),
                                temporary.resolve(run + ".w0")))) {
            for (String id : List.of("w1", "w2")) {
                devices.add(
                        python(
                                        output,
                                        script.toString(),
                                        id,
                                        broker.bootstrapServers(),
                                        keys.path().toString(),
                                        temporary.resolve(run + "." + id).toString(),
                                        run)
                                .start());
            }
            assertThat(inJava.over()).isTrue();
            job.getJobExecutionResult().get();
            for (Process each : devices) {
                assertThat(end(each)).as(Files.readString(output)).isZero();
            }
        } finally {
            devices.forEach(Process::destroyForcibly);
        }
        return Kept.RESULT.getAndSet(null).parameters();
    }

    @Test
    @Tag("cluster")
    void masksOfJavaAndPythonShedEachOther() throws Exception {
        assumeModules("numpy, cryptography, confluent_kafka");
        KeyDirectory keys = new KeyDirectory(temporary.resolve("keys"));
        for (String name : List.of(KeyDirectory.JOB, "w0", "w1", "w2")) {
            keys.generate(name);
        }
        Path script = Files.writeString(temporary.resolve("device.py"), DEVICE);
        LocalKafka broker = TestBroker.emptied();
        float[] open = ofThreeDevices(broker, keys, script, false);
        float[] secure = ofThreeDevices(broker, keys, script, true);
        for (int i = 0; i < open.length; i++) {
            // Eight sums of three parts, each rounded by 2⁻²⁵ at most, and what follows.
            assertThat(secure[i]).isCloseTo(open[i], within(1e-5f));
        }
    }
}
