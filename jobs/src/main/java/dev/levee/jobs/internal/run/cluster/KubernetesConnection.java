package dev.levee.jobs.internal.run.cluster;

import dev.levee.jobs.internal.config.KubernetesConfig;
import dev.levee.k8s.kubernetes.ConfigMapJobStore;
import dev.levee.k8s.kubernetes.FlinkJobs;
import dev.levee.k8s.kubernetes.KubernetesCluster;
import dev.levee.k8s.kubernetes.Leadership;
import dev.levee.k8s.kubernetes.SessionSlots;
import dev.levee.k8s.kubernetes.Slots;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Utils;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.UUID;
import java.util.function.Consumer;

/** An allocator's connection to a Kubernetes cluster. */
public final class KubernetesConnection implements AutoCloseable {
    /**
     * Maximum number of retries of a request. Each waits twice as long as the one before, and the
     * allocator itself tries again later.
     */
    private static final int RETRIES = 3;

    private final KubernetesClient client;
    private final KubernetesConfig config;
    private final String home;

    /**
     * Connects as configured by KUBECONFIG or the pod's service account.
     *
     * @throws IllegalStateException if the configuration cannot be read, or KUBECONFIG names no
     *     file; one sentence
     */
    public KubernetesConnection(KubernetesConfig config) {
        this.config = config;
        checkFile();
        try {
            Config found = Config.autoConfigure(null);
            found.setRequestRetryBackoffLimit(RETRIES);
            client = new KubernetesClientBuilder().withConfig(found).build();
        } catch (RuntimeException e) { // errors in YAML have other types
            throw new IllegalStateException(
                    "KUBECONFIG cannot be read: " + e.getMessage().lines().findFirst().orElse(""),
                    e);
        }
        String named = config.namespace() == null ? client.getNamespace() : config.namespace();
        home = named == null ? "default" : named;
    }

    /**
     * Checks that the file of KUBECONFIG exists: the client would ignore a missing file, and
     * connect to the cluster of its pod.
     */
    private static void checkFile() {
        if (Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_KUBECONFIG_FILE) != null
                && !Files.exists(Path.of(Config.getKubeconfigFilename()))) {
            throw new IllegalStateException(
                    "KUBECONFIG names "
                            + Config.getKubeconfigFilename()
                            + ", which does not exist");
        }
    }

    /** Seeks the lease that lets this allocator make decisions. */
    public Leadership seekLeadership() throws IOException {
        String host = InetAddress.getLocalHost().getHostName();
        return Leadership.seek(
                client,
                home,
                config.lockName(),
                host + "_" + UUID.randomUUID(),
                Leadership.Terms.USUAL);
    }

    public ConfigMapJobStore store() throws IOException {
        return ConfigMapJobStore.open(client, home, config.lockName());
    }

    /** The cluster's jobs; read-only if {@code dry}. */
    public KubernetesCluster cluster(Clock clock, Consumer<String> listener, boolean dry)
            throws IOException {
        Slots slots =
                config.slots() == null
                        ? new SessionSlots(client, KubernetesCluster::restOf)
                        : Slots.fixed(config.slots());
        return KubernetesCluster.watch(
                client,
                config.scope(home),
                slots,
                new FlinkJobs(),
                KubernetesCluster::restOf,
                clock,
                listener,
                dry);
    }

    /** The name of the Lease, for messages. */
    public String lease() {
        return "Lease " + home + "/" + config.lockName();
    }

    @Override
    public void close() {
        client.close();
    }
}
