package dev.levee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.flink.JobReader;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * Three elastic jobs share a real cluster of four slots in two TaskManager processes, under an
 * allocator that is a process, too. A gradient on 100 samples takes two thirds of a worker's
 * memory, so the first doubling of the batch is one too many.
 */
@ExtendWith(SharedCluster.class)
abstract class AllocationTest {
    private static final int BATCH = 100;

    /** Rounds, at the slow pace minutes more than the test needs. */
    private static final int LONG = 1600;

    private static final int SHORT = 320;
    private static final String MEMORY = "512k";

    @TempDir static Path directory;
    private static LocalCluster cluster;
    private static Pace pace;

    @BeforeAll
    static void start(LocalCluster shared) throws Exception {
        pace = new Pace(directory.resolve("pace"));
        pace.millisecondsPerGradient(400);
        cluster = shared;
    }

    /** A job that takes {@code rounds × workers × 100} samples in all. */
    private static CommandRun train(String name, int workers, int rounds, String... more) {
        return CommandRun.train(
                List.of(
                        "--target=" + cluster.restUrl(),
                        "--dataset=strokes:?train=2000&test=500",
                        "--model=" + pace.model(),
                        "--workers=" + workers,
                        "--byzantine=0",
                        "--attack=none",
                        "--aggregator=average",
                        "--batch-size=" + BATCH,
                        "--rounds=" + rounds,
                        "--eval-interval=5000",
                        "--learning-rate=0.05",
                        "--checkpoint-interval=1s",
                        "--output=" + directory.resolve(name)),
                more);
    }

    private static CommandRun elastic(String name, int rounds) {
        return train(
                name,
                1,
                rounds,
                "--elastic=min=1,max=4,max-batch=1600,scaling=linear",
                "--worker-memory=" + MEMORY);
    }

    /** What Flink shows of the job whose results go to a directory. */
    private static final class Watched {
        private final String name;
        private final JobReader reader = new JobReader(cluster.rest());
        private String id;

        private Watched(String name) {
            this.name = name;
        }

        private Optional<Observation> now() throws IOException {
            if (id == null) {
                id = find();
            }
            return id == null ? Optional.empty() : reader.read(id);
        }

        private String find() throws IOException {
            for (JsonNode job : cluster.rest().get("/jobs/overview").path("jobs")) {
                String jid = job.path("jid").asText();
                String control =
                        cluster.rest()
                                .get("/jobs/" + jid + "/config")
                                .path("execution-config")
                                .path("user-config")
                                .path("levee.elastic.control")
                                .asText();
                if (control.contains(directory.resolve(name) + "/")) {
                    return jid;
                }
            }
            return null;
        }

        /** Or has run to its end meanwhile; its samples tell whether any were lost. */
        private void awaitThatItRunsAgain() throws Exception {
            AtomicReference<Optional<Observation>> last = new AtomicReference<>(Optional.empty());
            try {
                RunningJob.until(
                        name + ": runs again",
                        () -> {
                            last.set(now());
                            return last.get().filter(Watched::hasEndedOrMeasured).isPresent();
                        });
            } catch (AssertionError e) {
                throw new AssertionError("%s is %s".formatted(name, last), e);
            }
        }

        private static boolean hasEndedOrMeasured(Observation seen) {
            return seen.phase() == JobPhase.FINISHED
                    || seen.phase() == JobPhase.RUNNING && seen.measurement().isPresent();
        }

        private void await(String what, Predicate<Observation> condition) throws Exception {
            RunningJob.until(
                    name + ": " + what,
                    () -> {
                        Optional<Observation> seen = now();
                        assertThat(seen.map(Observation::phase))
                                .as("the run was too short to be disturbed")
                                .isNotEqualTo(Optional.of(JobPhase.FINISHED));
                        return seen.filter(condition).isPresent();
                    });
        }
    }

    private static long samples(String name) throws IOException {
        return CommandRun.summary(directory.resolve(name)).path("samplesDone").asLong();
    }

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void jobsShareTheClusterWhateverHappensToIt() throws Exception {
        AllocatorProcess allocator = AllocatorProcess.greedy(cluster, directory);
        try {
            CommandRun first = elastic("first", LONG);
            Watched one = new Watched("first");
            one.await("has the whole cluster", seen -> seen.workers() == 4);
            one.await("ran out of memory", seen -> seen.outOfMemoryBatch() == 2 * BATCH);
            one.await("went back", seen -> seen.localBatch() == BATCH);
            pace.millisecondsPerGradient(750);

            CommandRun second = elastic("second", SHORT);
            CommandRun third = elastic("third", SHORT);
            Watched two = new Watched("second");
            Watched three = new Watched("third");
            two.await("runs", seen -> seen.phase() == JobPhase.RUNNING);
            three.await("runs", seen -> seen.phase() == JobPhase.RUNNING);
            one.await("gave way", seen -> seen.workers() <= 2);

            allocator.kill();
            String remembered = Files.readString(AllocatorProcess.store(directory));
            assertThat(remembered).contains("\"batchCeiling\" : " + BATCH);
            allocator = AllocatorProcess.greedy(cluster, directory);

            TestCluster.killTaskManager(cluster);
            RunningJob.until(
                    "a TaskManager is missing",
                    () -> cluster.rest().get("/taskmanagers").path("taskmanagers").size() == 1);
            cluster.addTaskManager();
            for (Watched each : List.of(one, two, three)) {
                each.awaitThatItRunsAgain();
            }
            pace.goOn();
            for (CommandRun run : List.of(first, second, third)) {
                assertThat(run.exitCode()).as(run.said()).isZero();
            }
        } finally {
            allocator.close();
        }
        assertThat(samples("first")).isBetween((long) LONG * BATCH, (long) LONG * BATCH + 3);
        assertThat(samples("second")).isBetween((long) SHORT * BATCH, (long) SHORT * BATCH + 3);
        assertThat(samples("third")).isBetween((long) SHORT * BATCH, (long) SHORT * BATCH + 3);
        JsonNode elastic = CommandRun.summary(directory.resolve("first"));
        assertThat(elastic.path("finalAccuracy").asDouble()).isGreaterThan(0.8);
    }
}
