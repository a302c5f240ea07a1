package dev.levee.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;
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
import dev.levee.connectors.kafka.worker.WorkerListener;
import dev.levee.federated.Federation;
import dev.levee.federated.LocalTraining;
import dev.levee.federated.WithoutBarrier;
import dev.levee.federated.devices.LocalTest;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.personal.Personal;
import dev.levee.federated.plan.Asynchrony;
import dev.levee.federated.plan.DecisionLog;
import dev.levee.federated.plan.StalenessWeight;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.learners.Gradient;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.plan.Reputation;
import dev.levee.operators.rounds.plan.SampledPlan;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.securesum.plan.SumRates;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Reading;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.ServerResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.FixedPoint;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A training served over Kafka ends with the bits that it has inside one job, whatever its parts
 * are: a real broker, and job and workers in this process.
 */
@Tag("cluster")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ServedTrainingTest {
    private static final int WORKERS = 6;
    private static final String DATA = "strokes:?train=600&test=200&seed=1";

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    private static final List<JobClient> JOBS = new ArrayList<>();

    @TempDir static Path directory;
    private static LocalKafka broker;
    private static KafkaAddress kafka;

    @BeforeAll
    static void start() throws Exception {
        broker = TestBroker.emptied();
        kafka = new KafkaAddress(broker.bootstrapServers(), Map.of());
    }

    /** A job that a failed test leaves would keep the slots of the next one. */
    @AfterEach
    void cancelWhatRuns() throws Exception {
        for (JobClient each : JOBS) {
            if (!each.getJobStatus().get().isGloballyTerminalState()) {
                lose(each);
            }
        }
        JOBS.clear();
    }

    private static JobClient started(JobClient job) {
        JOBS.add(job);
        return job;
    }

    /** Cancels a job, and waits until its slots are free. */
    private static void lose(JobClient job) throws Exception {
        job.cancel().get();
        assertThatThrownBy(() -> job.getJobExecutionResult().get());
    }

    /** Keeps results where this process finds them. */
    private record Kept(String key) implements RunSink {
        private static final Map<String, RunResult> RESULTS = new ConcurrentHashMap<>();

        @Override
        public void finished(RunResult result) {
            RESULTS.put(key, result);
        }
    }

    /** Says when a version has come, and lets no worker go on before the job is lost. */
    private record Silent(long version, CountDownLatch reached, CountDownLatch lost)
            implements WorkerListener {
        Silent(long version) {
            this(version, new CountDownLatch(1), new CountDownLatch(1));
        }

        @Override
        public void waiting(String why) {}

        @Override
        public void model(long run, long newest, Settings settings) {
            if (newest >= version) {
                reached.countDown();
            }
            if (newest > version) {
                try {
                    lost.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void answered(long run, long round, double loss) {}

        @Override
        public void resent(long run, long round) {}
    }

    /** Gradients of which each counts as much as its worker's number says. */
    private record Weighted() implements Work {
        @Override
        public Result work(
                Work.Task task, Map<String, float[]> kept, int trainable, Gradients gradients) {
            Gradient gradient = gradients.at(task.parameters(), 0);
            return new Result(gradient.values(), 1 + task.worker(), gradient.loss(), Map.of());
        }
    }

    private static TrainingBuilder training(String runId, String rule, int f) {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        Model model = Models.open("logistic", data.shape(), data.classes());
        return new TrainingBuilder(runId, DATA, model, Rules.parse(rule), WORKERS, f)
                .batchSize(8)
                .work(new GradientWork(0))
                .rounds(12);
    }

    private static StreamExecutionEnvironment environment() {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(2);
        return environment;
    }

    private static RunResult inOneJob(Training training) throws Exception {
        StreamExecutionEnvironment environment = environment();
        TrainingJob.build(environment, training, new Kept(training.runId()));
        environment.execute(training.runId());
        return Kept.RESULTS.remove(training.runId());
    }

    private static RunResult served(Training training) throws Exception {
        return served(training, Evaluator.NONE);
    }

    private static RunResult served(Training training, Evaluator evaluator) throws Exception {
        return served(
                training, evaluator, id -> training, TrainingResolver.OF_GRADIENTS, Long.MAX_VALUE);
    }

    private static KafkaSetup setup(Training training, Evaluator evaluator) {
        return setup(training, evaluator, false);
    }

    private static KafkaSetup setup(Training training, Evaluator evaluator, boolean fresh) {
        return KafkaSetup.of(
                kafka,
                new Topics(training.runId()),
                new TopicPlan(2, (short) -1, Duration.ofHours(1)),
                new KafkaSetup.Request(training, RunKeys.NONE, fresh, false, evaluator),
                Clock.systemUTC());
    }

    private static JobClient submit(Training training, Evaluator evaluator) throws Exception {
        return submit(environment(), training, setup(training, evaluator));
    }

    private static JobClient submit(
            StreamExecutionEnvironment environment, Training training, KafkaSetup setup)
            throws Exception {
        TrainingJob.serve(environment, training, setup.edge(), new Kept(training.runId()));
        return started(environment.executeAsync(training.runId()));
    }

    /** Starts a run that no worker answers. */
    private static JobClient unanswered(Training training, boolean fresh, String savepoint)
            throws Exception {
        StreamExecutionEnvironment environment = environment();
        if (savepoint != null) {
            Configuration from = new Configuration();
            from.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
            environment.configure(from);
        }
        return submit(environment, training, setup(training, Evaluator.NONE, fresh));
    }

    /** Stops a job once all of its tasks run; returns the savepoint. */
    private static String stopped(JobClient job) throws Exception {
        while (true) {
            try {
                return job.stopWithSavepoint(
                                false,
                                directory.resolve("savepoints").toUri().toString(),
                                SavepointFormatType.CANONICAL)
                        .get();
            } catch (ExecutionException e) {
                assertThat(job.getJobStatus().get().isGloballyTerminalState()).isFalse();
            }
        }
    }

    /** Both runs are at version 0, with the same values. */
    @Test
    void aSavepointContinuesItsOwnRunOnly() throws Exception {
        Training training = training("mixed", "median", 2).build();
        String earlier = stopped(unanswered(training, true, null));
        String newer = stopped(unanswered(training, true, null));
        assertThatThrownBy(() -> unanswered(training, false, earlier).getJobExecutionResult().get())
                .hasStackTraceContaining(
                        "RunFailedException: the checkpoint is of another run than the newest on"
                                + " topic mixed.models; start without it to continue the newest"
                                + " run");
        stopped(unanswered(training, false, newer));
    }

    /**
     * Runs to the end.
     *
     * @param brought by each worker
     * @param lost the version at which the job is lost with all that it knows, and another begins
     */
    private static RunResult served(
            Training training,
            Evaluator evaluator,
            IntFunction<Training> brought,
            TrainingResolver resolver,
            long lost)
            throws Exception {
        Silent listener = new Silent(lost);
        List<ExternalWorker> workers = new ArrayList<>();
        for (TrustedServers servers : trusted(training)) {
            for (int id = 0; id < WORKERS; id++) {
                workers.add(
                        worker(
                                training.runId(),
                                id,
                                servers,
                                brought.apply(id),
                                resolver,
                                listener));
            }
        }
        ExecutorService threads = Executors.newFixedThreadPool(workers.size());
        try {
            List<Future<Boolean>> over = new ArrayList<>();
            workers.forEach(worker -> over.add(threads.submit(worker::run)));
            JobClient job = submit(training, evaluator);
            if (lost < training.rounds()) {
                listener.reached().await();
                lose(job);
                listener.lost().countDown();
                job = submit(training, evaluator);
            }
            job.getJobExecutionResult().get();
            for (Future<Boolean> each : over) {
                assertThat(each.get()).isTrue();
            }
            return Kept.RESULTS.remove(training.runId());
        } finally {
            listener.lost().countDown();
            workers.forEach(ExternalWorker::stop);
            threads.shutdown();
            assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private static ExternalWorker worker(
            String run,
            int id,
            TrustedServers servers,
            Training brought,
            TrainingResolver resolver,
            WorkerListener listener) {
        return new ExternalWorker(
                kafka,
                new Topics(run),
                new ExternalWorker.Options(
                        id,
                        null,
                        null,
                        servers,
                        brought,
                        resolver,
                        Duration.ZERO,
                        Duration.ofSeconds(2),
                        directory.resolve(run + ".w" + id + "." + servers.only())),
                listener,
                Clock.systemUTC());
    }

    /** What workers of a run without keys know of its servers; once for each that they answer. */
    private static List<TrustedServers> trusted(Training training) {
        Topology topology = training.topology();
        int byzantine = topology.exchanges() ? topology.exchange().byzantine() : 0;
        TrustedServers all =
                new TrustedServers(
                        ServerRing.open(topology.servers()), byzantine, TrustedServers.PATIENCE);
        return topology.exchanges() && topology.reading() == Reading.PER_SERVER
                ? IntStream.range(0, topology.servers()).mapToObj(all::only).toList()
                : List.of(all);
    }

    private static Topology replicas(int servers, String rule, String attack) {
        int byzantine = (servers - 1) / 2;
        return Topology.replicas(
                servers,
                new Exchange(
                        Rules.parse(rule),
                        byzantine,
                        1,
                        Contraction.NONE,
                        attack == null
                                ? Attackers.NONE
                                : new Attackers(Attacks.parse(attack), byzantine)));
    }

    /** The liar's own model, its lies and the honest ones' are those of the run inside the job. */
    @Test
    void serversOfWhichOneLiesEndWithTheBitsOfOneHonestServer() throws Exception {
        Training one = training("onekafka", "median", 1).build();
        RunResult honest = inOneJob(one);
        Training three =
                training("threekafka", "median", 1)
                        .topology(replicas(3, "median", "reversed"))
                        .build();
        RunResult served = served(three);
        assertThat(served.servers()).hasSize(3);
        assertThat(served.servers().get(0).parameters()).isEqualTo(honest.parameters());
        assertThat(served.servers().get(1).parameters()).isEqualTo(honest.parameters());
        assertIsTheSame(served, inOneJob(three));
    }

    @Test
    void aJobOfSeveralServersThatKnowsNothingGoesOnFromTheTopics() throws Exception {
        Training three =
                training("lost", "median", 1)
                        .topology(replicas(3, "median", "little-is-enough"))
                        .optimizer(Optimizer.of(OptimizerKind.ADAM, 0.9))
                        .evalInterval(1)
                        .build();
        RunResult served =
                served(three, Evaluator.NONE, id -> three, TrainingResolver.OF_GRADIENTS, 5);
        assertIsTheSame(served, inOneJob(three));
        assertIsEvaluated(served, 5);
    }

    /** The second job has evaluated what the first one had published, and the final model. */
    private static void assertIsEvaluated(RunResult served, long lost) {
        for (ServerResult server : served.servers().subList(0, 2)) {
            assertThat(server.evaluations())
                    .extracting(EvaluationReport::version)
                    .contains(LongStream.range(0, lost).boxed().toArray(Long[]::new))
                    .contains(12L);
        }
    }

    /**
     * A gradient of each server's own model: over Kafka that of a liar is at its lie, and goes to
     * it alone, so the honest ones are those of the run inside the job.
     */
    @Test
    void workersThatAnswerServersOneByOneDoAsInsideTheJob() throws Exception {
        Topology together = replicas(3, "trimmed-mean", "equivocation");
        Exchange exchange = together.exchange();
        Training three =
                training("single", "median", 1)
                        .topology(
                                new Topology(
                                        3,
                                        Reading.PER_SERVER,
                                        new Exchange(
                                                exchange.rule(),
                                                1,
                                                3,
                                                Contraction.NONE,
                                                exchange.liars())))
                        .build();
        assertIsTheSame(
                served(three, Evaluator.NONE, id -> three, TrainingResolver.OF_GRADIENTS, 5),
                inOneJob(three),
                2);
    }

    /** A rule that draws, and exchanges after every third round only. */
    @Test
    void serversThatExchangeNowAndThenAreReadAsInsideTheJob() throws Exception {
        Topology often = replicas(5, "bucketing(2) | median", null);
        Exchange exchange = often.exchange();
        Training five =
                training("fivekafka", "median", 1)
                        .rounds(8)
                        .topology(
                                Topology.replicas(
                                        5,
                                        new Exchange(
                                                exchange.rule(),
                                                1,
                                                3,
                                                Contraction.NONE,
                                                Attackers.NONE)))
                        .build();
        assertIsTheSame(served(five), inOneJob(five));
    }

    private static void assertIsTheSame(RunResult served, RunResult inside) {
        assertIsTheSame(served, inside, inside.servers().size());
    }

    private static void assertIsTheSame(RunResult served, RunResult inside, int servers) {
        for (int server = 0; server < servers; server++) {
            assertThat(served.servers().get(server).parameters())
                    .isEqualTo(inside.servers().get(server).parameters());
            assertThat(served.servers().get(server).rounds())
                    .usingRecursiveComparison()
                    .ignoringFields("decidedAt", "seconds", "secondsByPhase")
                    .isEqualTo(inside.servers().get(server).rounds());
        }
    }

    @Test
    void scoresOfZenoAreMadeInTheJob() throws Exception {
        Training training = training("zenokafka", "zeno", 2).build();
        RunResult served = served(training);
        assertThat(served.rounds()).hasSize(12);
        assertThat(served.rounds()).allSatisfy(r -> assertThat(r.selected()).hasSize(4));
        assertThat(served.parameters()).isEqualTo(inOneJob(training).parameters());
    }

    @Test
    void workersOfASampledRoundKnowAmongHowManyDataAreDealt() throws Exception {
        Training training = training("sampledkafka", "median", 1).plan(new SampledPlan(4)).build();
        RunResult served = served(training);
        assertThat(served.rounds()).hasSize(12);
        assertThat(served.rounds()).allSatisfy(r -> assertThat(r.rows()).hasSize(4));
        assertThat(served.parameters()).isEqualTo(inOneJob(training).parameters());
    }

    /** Workers 4 and 5 send NaN whenever they are asked: two rounds, and one behind each rest. */
    @Test
    void whoWasProvenFaultyTooOftenIsLeftOutWhateverAJobForgets() throws Exception {
        Attack nan = Attacks.parse("nan");
        RunResult inside = inOneJob(judging("judged").attack(nan, 2).build());
        assertThat(inside.rounds())
                .extracting(RoundReport::workers)
                .containsExactly(6, 6, 4, 4, 4, 6, 4, 4, 4, 6, 4, 4);
        Training lying = judging("lying").attack(nan, 1).build();
        Training training = judging("judgedkafka").build();
        RunResult served =
                served(
                        training,
                        Evaluator.NONE,
                        id -> id < 4 ? training : lying,
                        TrainingResolver.OF_GRADIENTS,
                        4);
        assertIsTheSame(served, inside);
    }

    private static TrainingBuilder judging(String run) {
        return training(run, "median", 2).plan(new Reputation(2, 3));
    }

    private static Federation averaging() {
        return new Federation(
                new Participation(Sampling.parse("balanced"), 2, Weighting.SAMPLES),
                new LocalTraining(
                        new LocalSteps.Epochs(0.5),
                        false,
                        Optimizer.of(OptimizerKind.SGD, 0.5),
                        LearningRate.parse("cosine", 0.05, 12),
                        0.01,
                        LocalState.KEEP),
                ServerSteps.parse("adam", 0.1));
    }

    @Test
    void devicesTrainAsInsideTheJobAndAJobThatKnowsNothingGoesOnFromTheTopics() throws Exception {
        Training brought =
                training("deviceskafka", "average", 0)
                        .partition(Partition.parse("fegan(max_class=4,max_samples=40)"))
                        .build();
        Training training = averaging().of(brought);
        RunResult served =
                served(
                        training,
                        Evaluator.NONE,
                        id -> brought,
                        (own, told) -> averaging().outside(own),
                        5);
        RunResult inside = inOneJob(training);
        assertThat(served.parameters()).isEqualTo(inside.parameters());
        assertThat(served.rounds())
                .usingRecursiveComparison()
                .ignoringFields("decidedAt", "seconds", "secondsByPhase")
                .isEqualTo(inside.rounds());
    }

    /** A device that is started again after each answer: it knows what its file says. */
    private static final class Forgetful implements WorkerListener {
        private ExternalWorker now;
        private int answers;

        private boolean run(Supplier<ExternalWorker> start) {
            boolean over = false;
            while (!over && !Thread.currentThread().isInterrupted()) {
                now = start.get();
                over = now.run();
            }
            return over;
        }

        @Override
        public void waiting(String why) {}

        @Override
        public void model(long run, long newest, Settings settings) {}

        @Override
        public void answered(long run, long round, double loss) {
            answers++;
            now.stop();
        }

        @Override
        public void resent(long run, long round) {}
    }

    /**
     * A device's own model stays in its file, whatever becomes of its process; the job hears the
     * scores.
     */
    @Test
    void modelsOfDevicesStayOnThemAndTheirScoresAreThoseOfDevicesInsideTheJob() throws Exception {
        for (String personal : List.of("ditto(lambda=0.5)", "layers(bias)")) {
            String run = personal.substring(0, 5) + "kafka";
            Training brought =
                    training(run, "average", 0)
                            .partition(
                                    new LocalTest(
                                            Partition.parse("fegan(max_class=4,max_samples=40)"),
                                            0.2))
                            .build();
            Federation owning = owning(Personal.parse(personal));
            Training training = owning.of(brought);
            RunResult inside = inOneJob(training);
            assertThat(inside.scores()).hasSizeGreaterThan(2); // some hold too few samples
            List<Forgetful> devices =
                    IntStream.range(0, WORKERS).mapToObj(id -> new Forgetful()).toList();
            ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
            try {
                List<Future<Boolean>> over = new ArrayList<>();
                for (int id = 0; id < WORKERS; id++) {
                    int device = id;
                    Forgetful forgetful = devices.get(id);
                    over.add(
                            threads.submit(
                                    () ->
                                            forgetful.run(
                                                    () ->
                                                            worker(
                                                                    run,
                                                                    device,
                                                                    trusted(training).get(0),
                                                                    brought,
                                                                    (own, told) ->
                                                                            owning.outside(own),
                                                                    forgetful))));
                }
                submit(training, Evaluator.NONE).getJobExecutionResult().get();
                for (Future<Boolean> each : over) {
                    assertThat(each.get()).isTrue();
                }
            } finally {
                threads.shutdownNow();
            }
            assertThat(devices).allSatisfy(each -> assertThat(each.answers).isPositive());
            RunResult served = Kept.RESULTS.remove(run);
            assertThat(served.parameters()).isEqualTo(inside.parameters());
            assertThat(served.scores()).isEqualTo(inside.scores());
        }
    }

    private static Federation owning(Personal personal) {
        return new Federation(
                new Participation(Sampling.parse("uniform"), 3, Weighting.SAMPLES),
                LocalTraining.sgd(new LocalSteps.Steps(3), 0.05).with(personal),
                ServerSteps.parse("sgd", 1));
    }

    /** Device i sends (i + 1)·(j mod 7 − 3) in coordinate j, and counts i + 1 times. */
    private record Counting() implements Work {
        private static int value(int device, int coordinate) {
            return (device + 1) * (coordinate % 7 - 3);
        }

        @Override
        public Result work(
                Work.Task task, Map<String, float[]> kept, int trainable, Gradients gradients) {
            int[] values = new int[task.parameters().length];
            Arrays.setAll(values, j -> value(task.worker(), j));
            return new Result(
                    FixedPoint.bits(values, values.length), task.worker() + 1, 0, Map.of());
        }

        /** With a step of size 1, a round takes the mean off the model: all exact in float32. */
        static float[] model(Training training, List<RoundReport> rounds) {
            float[] model = training.model().initialParameters(training.seed());
            for (RoundReport round : rounds) {
                for (int j = 0; j < model.length && round.rows().length > 0; j++) {
                    int sum = 0;
                    int weights = 0;
                    for (int device : round.rows()) {
                        sum += value(device, j);
                        weights += device + 1;
                    }
                    model[j] -= (float) ((double) sum / weights);
                }
            }
            return model;
        }
    }

    private static TrainingBuilder counting(String run) {
        return training(run, "average", 0)
                .rounds(4)
                .plan(new SampledPlan(WORKERS))
                .learningRate(LearningRate.parse("constant", 1, 4))
                .deadline(Duration.ofMinutes(2))
                .masking(new Masking.Recoverable(SumRates.parse("dropout=0.4")))
                .work(new Counting());
    }

    /**
     * Device 5 leaves each round when it has shared its secrets. Device 0 starts again whenever it
     * has sent its row, and tells the shares that it had been dealt before.
     */
    @Test
    void aSecureSumGoesOnWithoutThoseWhoLeave() throws Exception {
        Training training = counting("sumskafka").build();
        RunResult served = summed(training, Long.MAX_VALUE);
        assertThat(served.rounds())
                .hasSize(4)
                .allSatisfy(round -> assertThat(round.rows()).containsExactly(0, 1, 2, 3, 4));
        assertThat(served.parameters()).isEqualTo(Counting.model(training, served.rounds()));
    }

    /** A job that knows nothing may lose the round it was in, and never has a wrong sum. */
    @Test
    void aJobThatIsLostInASecureSumHasNoWrongOne() throws Exception {
        Training training = counting("lostsumskafka").build();
        RunResult served = summed(training, 2);
        assertThat(served.rounds())
                .hasSize(4)
                .anySatisfy(round -> assertThat(round.rows()).containsExactly(0, 1, 2, 3, 4));
        assertThat(served.parameters()).isEqualTo(Counting.model(training, served.rounds()));
    }

    private static RunResult summed(Training training, long lost) throws Exception {
        String run = training.runId();
        KeyDirectory keys = new KeyDirectory(directory.resolve(run + ".keys"));
        keys.generate(KeyDirectory.JOB);
        for (int id = 0; id < WORKERS; id++) {
            keys.generate(KeyDirectory.name(id));
        }
        Training leaving =
                new TrainingBuilder(training)
                        .attack(Attacks.parse("silent(after=2)"), WORKERS)
                        .build();
        Silent listener = new Silent(lost);
        Forgetful forgetful = new Forgetful();
        List<ExternalWorker> workers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
        try {
            List<Future<Boolean>> over = new ArrayList<>();
            over.add(
                    threads.submit(
                            () -> forgetful.run(() -> device(training, keys, 0, forgetful))));
            for (int id = 1; id < WORKERS; id++) {
                Training brought = id == WORKERS - 1 ? leaving : training;
                ExternalWorker worker = device(brought, keys, id, listener);
                workers.add(worker);
                over.add(threads.submit(worker::run));
            }
            JobClient job = submit(training, keys);
            if (lost < training.rounds()) {
                listener.reached().await();
                lose(job);
                listener.lost().countDown();
                job = submit(training, keys);
            }
            job.getJobExecutionResult().get();
            for (Future<Boolean> each : over) {
                assertThat(each.get()).isTrue();
            }
            return Kept.RESULTS.remove(run);
        } finally {
            listener.lost().countDown();
            workers.forEach(ExternalWorker::stop);
            threads.shutdownNow();
        }
    }

    private static ExternalWorker device(
            Training training, KeyDirectory keys, int id, WorkerListener listener) {
        return new ExternalWorker(
                kafka,
                new Topics(training.runId()),
                new ExternalWorker.Options(
                        id,
                        keys.signing(KeyDirectory.name(id)),
                        keys,
                        TrustedServers.one(keys.verifying(KeyDirectory.JOB)),
                        training,
                        TrainingResolver.OF_GRADIENTS,
                        Duration.ZERO,
                        Duration.ofHours(1),
                        directory.resolve(training.runId() + ".w" + id)),
                listener,
                Clock.systemUTC());
    }

    private static JobClient submit(Training training, KeyDirectory keys) throws Exception {
        StreamExecutionEnvironment environment = environment();
        KafkaSetup setup =
                KafkaSetup.of(
                        kafka,
                        new Topics(training.runId()),
                        new TopicPlan(2, (short) -1, Duration.ofHours(1)),
                        new KafkaSetup.Request(
                                training, RunKeys.of(keys, WORKERS), false, false, Evaluator.NONE),
                        Clock.systemUTC());
        TrainingJob.serve(environment, training, setup.edge(), new Kept(training.runId()));
        return started(environment.executeAsync(training.runId()));
    }

    /** Without a barrier: K contributions make a version, by what they answer. */
    private static Federation arriving(int buffer, boolean mixing, DecisionLog recorded) {
        Asynchrony asynchrony =
                new Asynchrony(buffer, StalenessWeight.parse("polynomial(0.5)"), 20);
        return new Federation(
                        new Participation(
                                Sampling.parse("uniform"),
                                2,
                                mixing ? Weighting.EQUAL : Weighting.SAMPLES),
                        new LocalTraining(
                                new LocalSteps.Steps(3),
                                false,
                                Optimizer.of(OptimizerKind.SGD, 0),
                                LearningRate.parse("constant", 0.05, 1),
                                mixing ? 0.1 : 0,
                                LocalState.RESET),
                        ServerSteps.parse(mixing ? "mix" : "sgd", mixing ? 0.6 : 1))
                .with(
                        recorded == null
                                ? new WithoutBarrier.Arriving(asynchrony)
                                : new WithoutBarrier.Recorded(asynchrony, recorded));
    }

    /** Devices that pull. */
    private record Pulling(Federation federation) implements TrainingResolver {
        @Override
        public Training resolve(Training own, Told model) {
            return federation.outside(own);
        }

        @Override
        public boolean pulls(Told model) {
            return true;
        }
    }

    private static DecisionLog log(RunResult result) {
        List<TreeMap<Integer, Long>> rounds = new ArrayList<>();
        for (RoundReport each : result.rounds()) {
            TreeMap<Integer, Long> rows = new TreeMap<>();
            for (int i = 0; i < each.rows().length; i++) {
                rows.put(each.rows()[i], each.round() - each.ages()[i]);
            }
            rounds.add(rows);
        }
        return new DecisionLog(rounds);
    }

    /** The log refuses what counts twice, or before it can have been made. */
    private static void assertIsReplayed(int buffer, boolean mixing, String run) throws Exception {
        Training brought =
                training(run, "average", 0)
                        .partition(Partition.parse("fegan(max_class=4,max_samples=40)"))
                        .rounds(24)
                        .build();
        Federation live = arriving(buffer, mixing, null);
        RunResult served =
                served(live.of(brought), Evaluator.NONE, id -> brought, new Pulling(live), 9);
        assertThat(served.rounds()).hasSize(24);
        assertThat(served.rounds()).allSatisfy(r -> assertThat(r.rows()).hasSize(buffer));
        assertThat(served.rounds().stream().flatMapToInt(r -> Arrays.stream(r.ages())))
                .anySatisfy(age -> assertThat(age).isPositive());
        Training again = arriving(buffer, mixing, log(served)).of(brought);
        RunResult replayed = inOneJob(again);
        assertThat(replayed.parameters()).isEqualTo(served.parameters());
        // A round that is done once more asks nobody but those whom it took.
        assertThat(replayed.rounds())
                .usingRecursiveComparison()
                .ignoringFields("decidedAt", "seconds", "secondsByPhase", "workers")
                .isEqualTo(served.rounds());
    }

    @Test
    void whatWasBufferedAsItCameIsReplayedFromTheLog() throws Exception {
        assertIsReplayed(2, false, "bufferedkafka");
    }

    @Test
    void whatWasMixedAsItCameIsReplayedFromTheLog() throws Exception {
        assertIsReplayed(1, true, "mixedkafka");
    }

    @Test
    void whatAWorkerTellsOfTheFinalModelIsWhatTheJobWouldFind() throws Exception {
        Training training = training("toldkafka", "median", 1).build();
        RunResult served = served(training, new Evaluator(2, Duration.ofMinutes(2)));
        EvaluationReport told = served.evaluations().get(served.evaluations().size() - 1);
        List<EvaluationReport> found = inOneJob(training).evaluations();
        assertThat(told.version()).isEqualTo(12);
        assertThat(told.loss()).isEqualTo(found.get(found.size() - 1).loss());
        assertThat(told.scores()).isEqualTo(found.get(found.size() - 1).scores());
    }

    @Test
    void weightsTravel() throws Exception {
        Training training = training("weightedkafka", "average", 0).work(new Weighted()).build();
        RunResult served = served(training);
        assertThat(served.parameters()).isEqualTo(inOneJob(training).parameters());
        Training plain = new TrainingBuilder(training).work(new GradientWork(0)).build();
        assertThat(served.parameters()).isNotEqualTo(inOneJob(plain).parameters());
    }
}
