package dev.levee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.cluster.ListeningSockets;
import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cluster.ClusterProcess;
import dev.levee.k8s.flink.rest.Await;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What becomes of a training whose JobManager is killed, and of the client that follows it. */
@Tag("cluster")
class JobManagerLossTest {
    @TempDir static Path directory;
    private static LocalCluster cluster;
    private static Pace pace;
    private static List<String> options;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.startHighlyAvailable(directory.resolve("cluster"));
        pace = new Pace(directory.resolve("pace"));
        options =
                List.of(
                        "--target", cluster.restUrl().toString(),
                        "--dataset", "strokes:?train=2000&test=500",
                        "--model", pace.model(),
                        "--workers", "9",
                        "--byzantine", "3",
                        "--attack", "little-is-enough",
                        "--aggregator", "nnm | multi-krum",
                        "--batch-size", "50",
                        "--rounds", "60",
                        "--parallelism", "2",
                        "--checkpoint-interval", "250ms");
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    private static CommandRun train(String output) {
        return CommandRun.train(options, "--output", directory.resolve(output).toString());
    }

    @Test
    void aJobManagerThatComesBackGoesOnByItselfWithTheSameBits() throws Exception {
        CommandRun undisturbed = train("undisturbed");
        assertThat(undisturbed.exitCode()).isZero();

        pace.slow();
        CommandRun run = train("killed");
        RunningJob.await(cluster).awaitCheckpoints(2);
        cluster.killJobManager();
        assertThat(run.ended()).isFalse();
        CommandRun attached = CommandRun.start("attach", directory.resolve("killed").toString());
        boolean waits =
                Await.until(
                        Duration.ofMinutes(4),
                        () -> attached.said().contains("waiting for it to come back"));
        assertThat(waits).as(attached.said()).isTrue();
        comesBack();
        pace.goOn();
        assertThat(run.exitCode()).as(run.said()).isZero();
        assertThat(attached.exitCode()).as(attached.said()).isZero();

        JsonNode expected = CommandRun.summary(directory.resolve("undisturbed"));
        JsonNode summary = CommandRun.summary(directory.resolve("killed"));
        assertThat(summary.path("parametersSha256")).isEqualTo(expected.path("parametersSha256"));
        assertThat(summary.path("workers")).isEqualTo(expected.path("workers"));
    }

    private static void comesBack() throws Exception {
        LocalCluster orphans = LocalCluster.find(directory.resolve("cluster")).orElseThrow();
        assertThat(orphans.processes())
                .filteredOn(ClusterProcess::alive)
                .extracting(ClusterProcess::name)
                .containsExactly("zookeeper", "taskmanager-1", "taskmanager-2");
        orphans.recover();
        orphans.awaitTaskManagers(2);
        assertThat(orphans.jobManagerRuns()).isTrue();
        if (OS.LINUX.isCurrentOs()) {
            assertThat(orphans.processes())
                    .filteredOn(ClusterProcess::alive)
                    .hasSize(4)
                    .allSatisfy(JobManagerLossTest::listensOnTheLoopbackOnly);
        }
        // An election whose place ZooKeeper has tidied away is never won again.
        assertThat(directory.resolve("cluster/log/zookeeper.log"))
                .content()
                .contains("Using checkIntervalMs=" + Integer.MAX_VALUE);
    }

    private static void listensOnTheLoopbackOnly(ClusterProcess process) throws IOException {
        assertThat(ListeningSockets.of(process.pid()))
                .isNotEmpty()
                .allMatch(ListeningSockets::loopback);
    }
}
