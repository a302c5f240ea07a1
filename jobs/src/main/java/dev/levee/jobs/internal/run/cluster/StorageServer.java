package dev.levee.jobs.internal.run.cluster;

import dev.levee.featureextraction.flink.StorageJob;
import dev.levee.featureextraction.serve.StorageLimits;
import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cluster.Ports;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.StorageConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.run.follow.JobEnd;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A running storage tier: its job, and its cluster if that is in this process. */
public final class StorageServer implements AutoCloseable {
    private static final String NAME = "storage tier";
    private static final Duration PATIENCE = LocalCluster.PATIENCE;
    private static final int CONNECT_MILLIS = 1000;

    private final OpenCluster cluster;
    private final List<InetSocketAddress> doors;
    private final JobClient job;

    private StorageServer(OpenCluster cluster, List<InetSocketAddress> doors, JobClient job) {
        this.cluster = cluster;
        this.doors = doors;
        this.job = job;
    }

    /** Starts a tier that only this process uses, in this process, at free ports of 127.0.0.1. */
    public static StorageServer own(StorageConfig config) throws Exception {
        // Memory is not measured: this process also holds features of the compute tier.
        return start(config, config.limits().unmeasured(), Deployment.STORAGE.read(webPort("0")));
    }

    private static Map<String, GivenSetting> webPort(String port) {
        return Map.of("web-port", new GivenSetting(List.of(port), "--web-port"));
    }

    /**
     * Starts a tier. Waits until it listens if it is in this process, otherwise until its job runs.
     *
     * @throws IllegalStateException if it does not start; one sentence
     */
    public static StorageServer start(StorageConfig config, Deployment deployment)
            throws Exception {
        return start(config, config.limits(), deployment);
    }

    private static StorageServer start(
            StorageConfig config, StorageLimits limits, Deployment deployment) throws Exception {
        int port = deployment.embedded() ? Ports.free(config.port()) : config.port();
        List<InetSocketAddress> doors =
                IntStream.range(port, port + config.doors())
                        .mapToObj(each -> new InetSocketAddress(config.listen(), each))
                        .toList();
        OpenCluster cluster = OpenCluster.of(deployment, config.doors());
        StorageServer server = null;
        try {
            StreamExecutionEnvironment environment =
                    JobCluster.environment(
                            deployment, cluster.address(), StorageJob.configuration());
            StorageJob.add(environment, config.listen(), port, config.doors(), limits);
            JobClient job = environment.executeAsync(NAME);
            StorageServer started = new StorageServer(cluster, doors, job);
            started.awaitStart();
            server = started;
            return started;
        } finally {
            if (server == null) {
                cluster.close();
            }
        }
    }

    private void awaitStart() {
        boolean up = Await.until(PATIENCE, () -> cluster.survives() ? runs() : listens());
        if (!up) {
            throw new IllegalStateException(
                    "the storage tier was not ready within %d s; its job at %s says why"
                            .formatted(PATIENCE.toSeconds(), webUi()));
        }
    }

    private boolean runs() throws IOException {
        try {
            return job.getJobStatus().get(CONNECT_MILLIS, TimeUnit.MILLISECONDS)
                    == JobStatus.RUNNING;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private boolean listens() throws IOException {
        for (InetSocketAddress door : doors) {
            try (Socket socket = new Socket()) {
                socket.connect(door, CONNECT_MILLIS);
            }
        }
        return true;
    }

    /** True if the tier continues after the end of this process. */
    public boolean survives() {
        return cluster.survives();
    }

    /** The web UI with the tier's job. */
    public URI webUi() {
        return cluster.address();
    }

    /** The addresses that the tier listens on. */
    public List<InetSocketAddress> doors() {
        return doors;
    }

    /** The id of the tier's job. */
    public String job() {
        return job.getJobID().toString();
    }

    /**
     * Waits until the job ends.
     *
     * @throws Exception if the job failed
     */
    public void await() throws Exception {
        JobEnd.of(new FlinkRest(webUi()), job).get();
    }

    @Override
    public void close() throws Exception {
        job.cancel().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        cluster.close();
    }
}
