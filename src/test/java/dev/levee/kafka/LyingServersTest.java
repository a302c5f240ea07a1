package dev.levee.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.OutsideJob;
import dev.levee.WorkerThread;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.ToldServers;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.connectors.kafka.worker.ExternalWorker;
import dev.levee.connectors.kafka.worker.TrainingResolver;
import dev.levee.connectors.kafka.worker.TrustedServers;
import dev.levee.gar.Rules;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.topology.Reading;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Workers that read three servers of which one lies, on a real broker; the test is the servers. A
 * model has the same number everywhere, so that of three it is seen at which the worker has
 * computed, and two blocks, which lie in different partitions for each server.
 */
@Tag("cluster")
@Timeout(value = 12, unit = TimeUnit.MINUTES)
class LyingServersTest {
    private static final long RUN = 1_795_000_000_000_000L;
    private static final int BATCH = 4;
    private static final ToldServers SAYS = new ToldServers(3, 1, "median", 1);
    private static final ToldServers EACH = new ToldServers(3, 1, "median", 1, Reading.PER_SERVER);

    @TempDir static Path directory;
    private static LocalKafka broker;
    private static KeyDirectory keys;
    private static WideModel wide;

    @BeforeAll
    static void start() throws Exception {
        keys = new KeyDirectory(directory.resolve("keys"));
        for (String name : List.of(KeyDirectory.JOB, "w0", "w1", "s0", "s1", "s2")) {
            keys.generate(name);
        }
        wide = WideModel.in(directory);
        broker = TestBroker.emptied();
    }

    private static Training training() {
        return new TrainingBuilder(
                        "lying", wide.dataset(), wide.model(), Rules.parse("average"), 2, 0)
                .batchSize(BATCH)
                .work(new GradientWork(0))
                .build();
    }

    private static Settings settings(boolean stop) {
        return new Settings(Cohort.first(2), 0, 2, BATCH, 0.5, stop, false, 0);
    }

    /** Values that depend on where they are, so that blocks cannot be mistaken. */
    private static float[] vector(double value) {
        float[] vector = wide.zeros();
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (float) value * (1 + i % 7);
        }
        return vector;
    }

    private static float[] gradient(int worker, float[] parameters, long round) {
        return wide.gradient(training(), worker, parameters, round, round * BATCH);
    }

    private static WorkerThread worker(int id, Topics topics, Duration patience) {
        return worker(id, topics, patience, TrustedServers.ALL);
    }

    private static WorkerThread worker(int id, Topics topics, Duration patience, int only) {
        List<VerifyingKey> servers = Stream.of("s0", "s1", "s2").map(keys::verifying).toList();
        ServerRing ring = new ServerRing(keys.verifying(KeyDirectory.JOB), servers);
        return new WorkerThread(
                broker,
                topics,
                new ExternalWorker.Options(
                        id,
                        keys.signing("w" + id),
                        null,
                        new TrustedServers(ring, 1, patience, only),
                        training(),
                        TrainingResolver.OF_GRADIENTS,
                        Duration.ZERO,
                        WorkerThread.PATIENCE,
                        null));
    }

    private static OutsideJob job(Topics topics) throws Exception {
        return new OutsideJob(broker, topics, wide.slices(), keys.signing(KeyDirectory.JOB));
    }

    private static void publish(OutsideJob job, long version, int server, float[] vector) {
        publish(job, version, server, vector, key(server));
    }

    private static void publish(
            OutsideJob job, long version, int server, float[] vector, SigningKey key) {
        job.publish(RUN, version, vector, settings(false), server, SAYS, key);
    }

    private static SigningKey key(int server) {
        return keys.signing("s" + server);
    }

    private static void end(OutsideJob job, long version, WorkerThread... workers)
            throws Exception {
        for (int server = 0; server < 3; server++) {
            job.publish(RUN, version, vector(0), settings(true), server, SAYS, key(server));
        }
        for (WorkerThread each : workers) {
            assertThat(each.over()).isTrue();
        }
    }

    @Test
    void aGradientIsAtTheMedianOfWhatServersSay() throws Exception {
        Topics topics = new Topics("median");
        try (OutsideJob job = job(topics);
                WorkerThread worker = worker(0, topics, WorkerThread.PATIENCE)) {
            worker.awaitWaiting("has no model signed by the servers of --keys yet");
            Settings more = new Settings(Cohort.first(1), 0, 1, 3 * BATCH, 9, false, false, 0);
            ToldServers other = new ToldServers(3, 0, "average", 1);
            job.publish(RUN, 0, vector(-100), more, 2, other, key(2));
            publish(job, 0, 0, vector(0.25));
            publish(job, 0, 1, vector(0.5));
            assertThat(job.answer(RUN, 0, 0, 1)).isEqualTo(gradient(0, vector(0.25), 0));
            end(job, 1, worker);
        }
    }

    /** The first word is that of the topic, so all have the same; the second proves the lie. */
    @Test
    void ofTwoModelsThatAServerHasSignedTheFirstCountsForAll() throws Exception {
        Topics topics = new Topics("equivocation");
        try (OutsideJob job = job(topics);
                WorkerThread early = worker(0, topics, WorkerThread.PATIENCE)) {
            early.awaitWaiting("has no model");
            publish(job, 0, 2, vector(0.5));
            publish(job, 0, 2, vector(4));
            publish(job, 0, 0, vector(0));
            publish(job, 0, 1, vector(1));
            assertThat(job.answer(RUN, 0, 0, 1)).isEqualTo(gradient(0, vector(0.5), 0));
            assertThat(early.awaitLie()).containsExactly(2L, 0L);
            // One that comes later reads from the end backwards, and finds the same.
            try (WorkerThread late = worker(1, topics, WorkerThread.PATIENCE)) {
                assertThat(job.answer(RUN, 0, 1, 1)).isEqualTo(gradient(1, vector(0.5), 0));
                assertThat(late.awaitLie()).containsExactly(2L, 0L);
                end(job, 1, early, late);
            }
            assertThat(early.lies()).isEmpty();
        }
    }

    @Test
    void nobodySpeaksForAnotherServer() throws Exception {
        Topics topics = new Topics("forged");
        try (OutsideJob job = job(topics);
                WorkerThread worker = worker(0, topics, WorkerThread.PATIENCE)) {
            for (int server = 0; server < 2; server++) {
                publish(job, 0, server, vector(9), key(2));
                publish(job, 7, server, vector(9), key(2));
                // The job itself is no server.
                publish(job, 9, server, vector(9), keys.signing(KeyDirectory.JOB));
            }
            worker.awaitWaiting("has no model");
            publish(job, 1, 0, vector(0.25));
            publish(job, 1, 1, vector(0.25));
            publish(job, 1, 2, vector(9));
            assertThat(job.answer(RUN, 1, 0, 1)).isEqualTo(gradient(0, vector(0.25), 1));
            assertThat(worker.lies()).isEmpty();
            end(job, 2, worker);
        }
    }

    @Test
    void whoIsSilentIsWaitedForAndThenGoneOnWithout() throws Exception {
        Topics topics = new Topics("silent");
        try (OutsideJob job = job(topics);
                WorkerThread worker = worker(0, topics, Duration.ofMillis(300))) {
            publish(job, 0, 0, vector(0.25));
            publish(job, 0, 1, vector(0.75));
            // The median of the two that are left, none of which may lie any more.
            assertThat(job.answer(RUN, 0, 0, 1)).isEqualTo(gradient(0, vector(0.5), 0));
            // NaN is at fault too, so with a silent one there are more than f.
            float[] broken = vector(1);
            broken[3] = Float.NaN;
            publish(job, 1, 0, broken);
            publish(job, 1, 1, vector(1));
            worker.awaitWaiting("too many servers are silent or at fault about version 1");
            publish(job, 1, 2, vector(3));
            assertThat(job.answer(RUN, 1, 0, 1)).isEqualTo(gradient(0, vector(2), 1));
            end(job, 2, worker);
        }
    }

    @Test
    void whateverALiarPublishesItStandsInNobodysWay() throws Exception {
        Topics topics = new Topics("rubbish");
        try (OutsideJob job = job(topics);
                WorkerThread worker = worker(0, topics, Duration.ofMillis(300))) {
            float[] zero = vector(0);
            job.publish(RUN + 9, 3, zero, settings(true), 2, SAYS, key(2));
            job.publish(RUN, 1L << 60, zero, settings(false), 2, SAYS, key(2));
            for (int i = 0; i < 20; i++) {
                publish(job, 1000 - i, 2, zero);
                job.litter(i % 6, new byte[] {'L', 'E', 'V', 'E', 3, 1, 0, 0});
                job.litter(i % 6, new byte[400]);
            }
            ToldServers other = new ToldServers(3, 0, "average", 1);
            for (long version = 0; version < 3; version++) {
                publish(job, version, 0, vector(0.25));
                publish(job, version, 1, vector(0.25));
                job.publish(RUN, version, vector(8), settings(true), 2, other, key(2));
                assertThat(job.answer(RUN, version, 0, 1))
                        .isEqualTo(gradient(0, vector(0.25), version));
            }
            end(job, 3, worker);
        }
    }

    /** Of a liar it takes the model as it is, which harms that liar only, and nothing else. */
    @Test
    void whoAnswersOneServerWorksAtItsModelAndDoesWhatMoreAskForThanMayLie() throws Exception {
        Topics topics = new Topics("single");
        try (OutsideJob job = job(topics);
                WorkerThread first = worker(0, topics, WorkerThread.PATIENCE, 0);
                WorkerThread liars = worker(1, topics, WorkerThread.PATIENCE, 2)) {
            Settings more = new Settings(Cohort.first(2), 0, 2, 3 * BATCH, 9, false, false, 0);
            job.publish(RUN, 0, vector(0.25), settings(false), 0, EACH, key(0));
            job.publish(RUN, 0, vector(0.5), settings(false), 1, EACH, key(1));
            // Nobody waits for server 2, nor does what it alone asks for.
            assertThat(job.answer(RUN, 0, 0, 1)).isEqualTo(gradient(0, vector(0.25), 0));
            job.publish(RUN, 0, vector(1), more, 2, EACH, key(2));
            job.publish(RUN, 1, vector(1), settings(false), 2, EACH, key(2));
            job.publish(RUN, 1, vector(2), settings(false), 0, EACH, key(0));
            assertThat(job.answer(RUN, 1, 1, 1)).isEqualTo(gradient(1, vector(1), 1));
            assertThat(job.frames(RUN, 0, 1, 0)).isEmpty();
            assertThat(job.frames(RUN, 0, 0, 0).get(0).receiver()).isZero();
            assertThat(job.frames(RUN, 1, 1, 0).get(0).receiver()).isEqualTo(2);
            // A liar that never ends keeps nobody from it.
            for (int server = 0; server < 2; server++) {
                job.publish(RUN, 2, vector(0), settings(true), server, EACH, key(server));
            }
            assertThat(first.over()).isTrue();
            assertThat(liars.over()).isTrue();
        }
    }

    @Test
    void whoReadsServersOtherwiseThanTheyWantIsTold() throws Exception {
        Topics topics = new Topics("otherwise");
        try (OutsideJob job = job(topics)) {
            for (int server = 0; server < 3; server++) {
                job.publish(RUN, 0, vector(0), settings(false), server, EACH, key(server));
            }
            try (WorkerThread worker = worker(0, topics, WorkerThread.PATIENCE)) {
                assertThatThrownBy(worker::over)
                        .hasMessageContaining(
                                "the servers run with --worker-models per-server, and this worker"
                                        + " without");
            }
        }
    }

    @Test
    void whoExpectsAnotherNumberOfServersIsTold() throws Exception {
        Topics topics = new Topics("number");
        try (OutsideJob job = job(topics)) {
            job.publish(RUN, 0, vector(0), settings(false));
            try (WorkerThread worker = worker(0, topics, WorkerThread.PATIENCE)) {
                worker.awaitWaiting("has models of 1 server, and --servers is 3");
            }
        }
    }
}
