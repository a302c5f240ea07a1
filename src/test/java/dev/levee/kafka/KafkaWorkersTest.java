package dev.levee.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.CommandRun;
import dev.levee.RunningJob;
import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.worker.ExternalWorker;
import dev.levee.connectors.kafka.worker.WorkerListener;
import dev.levee.gar.Rules;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.WrappedLearner;
import dev.levee.learners.WrappedModel;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Workers that come late, are slow, vanish, or whose clocks are a day off: a quorum and a timeout
 * carry the run on.
 */
@Tag("cluster")
class KafkaWorkersTest {
    private static final String DATA = "strokes:?train=600&test=200";
    private static final int WORKERS = 6;
    private static final int ROUNDS = 60;
    private static final Semaphore SLOW = new Semaphore(0);

    @TempDir Path directory;
    private KafkaAddress kafka;
    private KeyDirectory keys;
    private Model model;

    /** A model whose gradients wait for a permit. */
    private record Slow(Model model) implements WrappedModel {
        @Override
        public Learner newLearner() {
            return new WrappedLearner(model.newLearner()) {
                @Override
                public Gradient gradient(float[] parameters, Batch batch, long seed) {
                    SLOW.acquireUninterruptibly();
                    return super.gradient(parameters, batch, seed);
                }
            };
        }
    }

    /** A model whose gradients take a while, so that versions do not pass unseen. */
    private record Paced(Model model) implements WrappedModel {
        @Override
        public Learner newLearner() {
            return new WrappedLearner(model.newLearner()) {
                @Override
                public Gradient gradient(float[] parameters, Batch batch, long seed) {
                    LockSupport.parkNanos(50_000_000);
                    return super.gradient(parameters, batch, seed);
                }
            };
        }
    }

    /** A worker on a thread of its own, and the rounds it has answered. */
    private static final class Running implements WorkerListener {
        private final List<Long> answered = new ArrayList<>();
        private ExternalWorker worker;
        private CompletableFuture<Boolean> end;

        @Override
        public void waiting(String why) {}

        @Override
        public void model(long run, long version, Settings settings) {}

        @Override
        public synchronized void answered(long run, long round, double loss) {
            answered.add(round);
        }

        @Override
        public void resent(long run, long round) {}

        synchronized List<Long> answered() {
            return List.copyOf(answered);
        }
    }

    private Running start(int id, Model own, Duration skew) {
        Training training =
                new TrainingBuilder("workers0", DATA, own, Rules.parse("median"), WORKERS, 1)
                        .build();
        Running running = new Running();
        running.worker =
                new ExternalWorker(
                        kafka,
                        new Topics("crowd"),
                        new ExternalWorker.Options(
                                id,
                                keys.signing(KeyDirectory.name(id)),
                                keys.verifying(KeyDirectory.JOB),
                                training,
                                Duration.ofSeconds(2),
                                null),
                        running,
                        Clock.offset(Clock.systemUTC(), skew));
        running.end =
                CompletableFuture.supplyAsync(
                        running.worker::run, task -> new Thread(task, "worker " + id).start());
        return running;
    }

    private CommandRun serve() {
        return CommandRun.start(
                "serve",
                "--bootstrap-servers",
                kafka.bootstrapServers(),
                "--run",
                "crowd",
                "--keys",
                keys.path().toString(),
                "--dataset",
                DATA,
                "--model",
                "logistic",
                "--workers",
                String.valueOf(WORKERS),
                "--byzantine",
                "1",
                "--quorum",
                "5",
                "--round-timeout",
                "700ms",
                "--aggregator",
                "median",
                "--batch-size",
                "20",
                "--rounds",
                String.valueOf(ROUNDS),
                "--output",
                directory.resolve("crowd").toString());
    }

    @Test
    void aQuorumAndATimeoutCarryTheRunOn() throws Exception {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        model = Models.open("logistic", data.shape(), data.classes());
        keys = new KeyDirectory(directory.resolve("keys"));
        keys.generate(KeyDirectory.JOB);
        for (int worker = 0; worker < WORKERS; worker++) {
            keys.generate(KeyDirectory.name(worker));
        }
        LocalKafka broker = TestBroker.emptied();
        kafka = new KafkaAddress(broker.bootstrapServers(), Map.of());
        CommandRun serve = serve();
        try (VersionWatch watch = VersionWatch.start(kafka, "crowd.models")) {
            Running vanishing = start(0, model, Duration.ZERO);
            Running ahead = start(1, model, Duration.ofDays(1));
            Running behind = start(2, model, Duration.ofDays(-1));
            Running slow = start(3, new Slow(model), Duration.ZERO);
            Running steady = start(4, new Paced(model), Duration.ZERO);
            awaitVersion(watch, 10);
            Running late = start(5, model, Duration.ZERO);
            awaitVersion(watch, 25);
            SLOW.release();
            RunningJob.until("the slow worker answers", () -> !slow.answered().isEmpty());
            awaitVersion(watch, 32);
            vanishing.worker.stop();
            assertThat(vanishing.end.get()).isFalse();
            List<Long> last = vanishing.answered();
            SLOW.release(1000);
            assertThat(serve.exitCode()).isZero();
            for (Running worker : List.of(ahead, behind, slow, steady, late)) {
                assertThat(worker.end.get()).isTrue();
            }
            // It continued with the newest model, not with those it had missed.
            assertThat(slow.answered()).doesNotContain(10L).isSorted();
            assertThat(vanishing.answered()).isEqualTo(last);
            assertThat(late.answered()).allMatch(round -> round >= 10);
        }
        JsonNode summary = CommandRun.summary(directory.resolve("crowd"));
        assertThat(summary.path("roundsDone").asInt()).isEqualTo(ROUNDS);
        assertThat(summary.path("finalAccuracy").asDouble()).isGreaterThan(0.5);
        for (int worker = 0; worker < WORKERS; worker++) {
            assertThat(summary.path("workers").path(worker).path("accepted").asInt())
                    .as("worker " + worker)
                    .isPositive();
        }
        // A clock that is a day off makes nobody late.
        assertThat(accepted(summary, 1)).isGreaterThan(ROUNDS / 2);
        assertThat(accepted(summary, 2)).isGreaterThan(ROUNDS / 2);
        assertThat(accepted(summary, 0)).isLessThan(ROUNDS);
    }

    private static int accepted(JsonNode summary, int worker) {
        return summary.path("workers").path(worker).path("accepted").asInt();
    }

    private static void awaitVersion(VersionWatch watch, long version) throws Exception {
        RunningJob.until("version " + version, () -> watch.newest() >= version);
    }
}
