package dev.levee.jobs.internal.run.cluster;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cluster.FileTree;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.operators.flink.SharedRpcSystem;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.util.Reference;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A Flink cluster inside this process. By default it listens on 127.0.0.1. */
public final class EmbeddedCluster implements AutoCloseable {
    private static final String LOCALHOST = "127.0.0.1";
    private static final Duration PATIENCE = LocalCluster.PATIENCE;

    private final MiniCluster cluster;
    private final Path temporary;

    private EmbeddedCluster(MiniCluster cluster, Path temporary) {
        this.cluster = cluster;
        this.temporary = temporary;
    }

    /**
     * Starts a cluster with one TaskManager of {@code slots} slots, and waits until the slots are
     * registered.
     *
     * @throws IllegalStateException if its metrics cannot be served, or it is not ready in time;
     *     one sentence
     */
    public static EmbeddedCluster start(Deployment deployment, int slots) throws Exception {
        Configuration flink = new Configuration();
        if (deployment.prometheusPort() != null) {
            serveMetrics(deployment, flink);
        }
        Path temporary = Files.createTempDirectory("levee-");
        flink.set(RestOptions.ADDRESS, LOCALHOST);
        flink.set(RestOptions.BIND_ADDRESS, LOCALHOST);
        flink.set(RestOptions.BIND_PORT, deployment.webPort());
        // The blob server accepts jars and other large objects from anyone who can reach it.
        flink.set(JobManagerOptions.BIND_HOST, LOCALHOST);
        flink.set(TaskManagerOptions.BIND_HOST, LOCALHOST);
        flink.set(CoreOptions.TMP_DIRS, temporary.toString());
        flink.set(CoreOptions.CHECK_LEAKED_CLASSLOADER, false);
        flink.setString("web.log.path", System.getProperty("levee.log", ""));
        // State is on the heap and batches are small: no managed memory, few network buffers.
        flink.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ZERO);
        MemorySize network = MemorySize.ofMebiBytes(64 + 8L * slots);
        flink.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
        flink.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
        flink.set(JobManagerOptions.SCHEDULER, JobManagerOptions.SchedulerType.Adaptive);
        flink.set(
                JobManagerOptions.SCHEDULER_SUBMISSION_RESOURCE_STABILIZATION_TIMEOUT,
                Duration.ofSeconds(1));
        flink.set(MetricOptions.METRIC_FETCHER_UPDATE_INTERVAL, Duration.ofMillis(500));
        flink.set(WebOptions.REFRESH_INTERVAL, Duration.ofMillis(500));
        MiniCluster cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(flink)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(slots)
                                .build(),
                        () -> Reference.borrowed(SharedRpcSystem.get()));
        EmbeddedCluster embedded = new EmbeddedCluster(cluster, temporary);
        boolean up = false;
        try {
            cluster.start();
            embedded.awaitSlots(slots);
            up = true;
            return embedded;
        } finally {
            if (!up) {
                embedded.close();
            }
        }
    }

    private static void serveMetrics(Deployment deployment, Configuration flink) {
        int port = deployment.prometheusPort();
        String address =
                deployment.prometheusAddress() == null ? LOCALHOST : deployment.prometheusAddress();
        // Flink only logs that a reporter cannot start.
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(address, port));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "--prometheus-port %d cannot be opened on %s (%s): choose a free port, and an address of this machine"
                            .formatted(port, address, e.getMessage()),
                    e);
        }
        flink.setString(
                "metrics.reporter.prometheus.factory.class", PrometheusServer.class.getName());
        flink.setString("metrics.reporter.prometheus.port", String.valueOf(port));
        flink.setString("metrics.reporter.prometheus.address", address);
    }

    private void awaitSlots(int slots) throws Exception {
        FlinkRest rest = new FlinkRest(address());
        if (!Await.until(
                PATIENCE, () -> rest.get("/overview").path("slots-total").asInt() == slots)) {
            throw new IllegalStateException(
                    "the embedded cluster was not ready within " + PATIENCE.toSeconds() + " s");
        }
    }

    /** The address of the REST API and the web UI. */
    public URI address() throws Exception {
        return cluster.getRestAddress().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() throws Exception {
        cluster.closeAsync().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        FileTree.delete(temporary);
    }
}
