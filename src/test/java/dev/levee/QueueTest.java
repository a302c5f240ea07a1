package dev.levee;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.k8s.flink.queue.QueueState.Phase;
import dev.levee.k8s.flink.queue.RunQueue;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two runs on a cluster of which another leaves one slot: a short one has a long one paused, whose
 * allocator is killed while nothing of it runs.
 */
@ExtendWith(SharedCluster.class)
abstract class QueueTest {
    @TempDir static Path directory;
    private static LocalCluster cluster;
    private static Pace pace;
    private static CommandRun other;
    private static RunningJob others;

    @BeforeAll
    static void takeThreeOfFourSlots(LocalCluster shared) throws Exception {
        cluster = shared;
        Pace slow = new Pace(directory.resolve("slow"));
        slow.slow();
        other =
                CommandRun.train(
                        List.of(
                                "--target=" + cluster.restUrl(),
                                "--dataset=strokes:?train=200&test=100",
                                "--model=" + slow.model(),
                                "--workers=3",
                                "--byzantine=0",
                                "--aggregator=average",
                                "--rounds=100000000"),
                        "--parallelism=3",
                        "--output=" + directory.resolve("other"));
        others = RunningJob.await(cluster);
        others.awaitParallelism(3);
        pace = new Pace(directory.resolve("pace"));
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.rest().patch("/jobs/" + others.id());
        other.exitCode();
    }

    /** At its largest batch a run has one plan: the one it starts with. */
    private static CommandRun train(String name, int rounds, String... more) {
        List<String> own = new ArrayList<>(List.of(more));
        own.add("--rounds=" + rounds);
        own.add("--output=" + directory.resolve(name));
        return CommandRun.train(
                List.of(
                        "--target=" + cluster.restUrl(),
                        "--dataset=strokes:?train=2000&test=500",
                        "--model=" + pace.model(),
                        "--workers=1",
                        "--byzantine=0",
                        "--attack=none",
                        "--aggregator=average",
                        "--batch-size=16",
                        "--eval-interval=5000",
                        "--learning-rate=0.02",
                        "--elastic=min=1,max=2,max-batch=16",
                        "--checkpoint-interval=1s"),
                own.toArray(String[]::new));
    }

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void aPausedRunGoesOnByItselfWithTheBitsOfAnUndisturbedOne() throws Exception {
        RunQueue queue = RunQueue.in(directory.resolve("queue"));
        pace.millisecondsPerGradient(600);
        AllocatorProcess allocator = AllocatorProcess.start(cluster, directory);
        try {
            RunningJob.until("the line is served", () -> queue.served().isPresent());
            String line = "--queue=" + queue.folder();
            assertThat(train("long", 300, line).exitCode()).isZero();
            String id = queue.entries(Assertions::fail).get(0).run().id();
            allocator.awaitLine("job " + id + " starts with 1 worker");
            assertThat(train("short", 50, line).exitCode()).isZero();
            RunningJob.until(
                    "the long run is paused",
                    () -> {
                        RunQueue.Entry now = queue.find(id).orElseThrow();
                        return now.state().phase() == Phase.WAITING
                                && now.state().generation() == 1;
                    });
            pace.goOn();
            allocator.kill();
            allocator = AllocatorProcess.start(cluster, directory);
            RunningJob.until("all is done", () -> queue.entries(Assertions::fail).isEmpty());
        } finally {
            allocator.close();
        }
        assertThat(train("undisturbed", 300).exitCode()).isZero();
        assertThat(Files.readAllBytes(directory.resolve("long/model.npz")))
                .isEqualTo(Files.readAllBytes(directory.resolve("undisturbed/model.npz")));
        assertThat(directory.resolve("short/model.npz")).exists();
    }
}
