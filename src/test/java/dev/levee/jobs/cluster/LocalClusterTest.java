package dev.levee.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.jobs.internal.cluster.ClusterProcess;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.k8s.flink.rest.Await;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

@Tag("archives")
class LocalClusterTest {
    @TempDir Path directory;

    private LocalCluster.Options options(int taskManagers, int port) throws IOException {
        return new LocalCluster.Options(
                directory,
                LeveeHome.find().clusterClassPath(),
                taskManagers,
                1,
                port,
                128,
                Map.of(
                        "heartbeat.interval",
                        "500",
                        "heartbeat.timeout",
                        "10000",
                        "env.java.opts.all",
                        "-Dall=1",
                        "env.java.opts.taskmanager",
                        "-Done=1  -Dtwo=2"));
    }

    @Test
    @Tag("cluster")
    void whateverItLosesIsReplacedAndInTheEndNothingRuns() throws IOException {
        LocalCluster cluster = LocalCluster.start(options(2, 0));
        List<ClusterProcess> processes;
        try (cluster) {
            losesAndReplacesATaskManager(cluster);
            if (OS.LINUX.isCurrentOs()) {
                assertThat(flags(cluster, "taskmanager-3"))
                        .contains("-Dall=1", "-Done=1", "-Dtwo=2");
                assertThat(flags(cluster, "jobmanager"))
                        .contains("-Dall=1")
                        .doesNotContain("-Done=1", "-Dtwo=2");
            }
            cluster.killJobManager();
            LocalCluster orphans = LocalCluster.find(directory).orElseThrow();
            assertThat(orphans.jobManagerRuns()).isFalse();
            assertThat(orphans.processes())
                    .filteredOn(ClusterProcess::alive)
                    .extracting(ClusterProcess::name)
                    .containsExactly("taskmanager-2", "taskmanager-3");
            assertThatThrownBy(() -> LocalCluster.start(options(2, 0)))
                    .hasMessage(
                            "a cluster whose JobManager has ended still has running processes;"
                                    + " levee cluster recover restarts the JobManager, levee"
                                    + " cluster stop ends the processes");
            processes = orphans.processes();
            orphans.close();
        }
        assertThat(processes).hasSize(4).noneMatch(ClusterProcess::alive);
        assertThat(LocalCluster.find(directory)).isEmpty();
        assertThat(directory.resolve("tmp")).doesNotExist();
        assertThat(directory.resolve("jobs")).doesNotExist();
        assertThat(directory.resolve("log/jobmanager.log")).isNotEmptyFile();
    }

    private void losesAndReplacesATaskManager(LocalCluster cluster) throws IOException {
        assertThat(
                        Await.until(
                                LocalCluster.PATIENCE,
                                () ->
                                        cluster.rest().get("/overview").path("slots-total").asInt()
                                                == 2))
                .isTrue();
        // Flink's 10 minutes are how long metrics stand still after a loss, its 3 s how old answers
        // may be.
        assertThat(cluster.rest().get("/jobmanager/config"))
                .extracting(each -> each.path("key").asText() + "=" + each.path("value").asText())
                .contains("web.timeout=60s", "web.refresh-interval=1s");
        LocalCluster again = LocalCluster.find(directory).orElseThrow();
        assertThat(again.restUrl()).isEqualTo(cluster.restUrl());
        assertThatThrownBy(() -> LocalCluster.start(options(1, 0)))
                .hasMessage("a cluster is already running at " + cluster.restUrl());

        cluster.killTaskManager(1);
        cluster.awaitTaskManagers(1);
        assertThat(cluster.addTaskManager()).isEqualTo(3);
        cluster.awaitTaskManager(3);
        cluster.awaitTaskManagers(2);
        assertThat(cluster.processes())
                .filteredOn(each -> each.name().startsWith("taskmanager"))
                .extracting(ClusterProcess::alive)
                .containsExactly(false, true, true);
    }

    private static List<String> flags(LocalCluster cluster, String name) throws IOException {
        long pid =
                cluster.processes().stream()
                        .filter(each -> each.alive() && each.name().equals(name))
                        .findFirst()
                        .orElseThrow()
                        .pid();
        String line = Files.readString(Path.of("/proc", String.valueOf(pid), "cmdline"));
        return List.of(line.split("\0"));
    }

    @Test
    void refusesATakenPort() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() -> LocalCluster.start(options(1, port)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "--port " + port + " is taken by another process; choose a free one");
        }
        assertThat(LocalCluster.find(directory)).isEmpty();
    }

    @Test
    void doesNotTakeAnotherProcessForItsOwn() {
        ProcessHandle self = ProcessHandle.current();
        ClusterProcess older = new ClusterProcess("jobmanager", self.pid(), 12345, "");
        assertThat(older.alive()).isFalse();
        older.kill();
        assertThat(self.isAlive()).isTrue();
    }
}
