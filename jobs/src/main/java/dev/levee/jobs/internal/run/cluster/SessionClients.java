package dev.levee.jobs.internal.run.cluster;

import dev.levee.jobs.cluster.LocalCluster;

import org.apache.flink.api.common.JobID;
import org.apache.flink.client.deployment.ClusterClientJobClientAdapter;
import org.apache.flink.client.deployment.StandaloneClusterId;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.JobClient;

import java.net.URI;
import java.time.Duration;

/** Flink's clients of a session cluster. */
public final class SessionClients {
    /** How long the client of a job waits for a JobManager that ended: as long as one may start. */
    public static final Duration PATIENCE = LocalCluster.PATIENCE;

    private SessionClients() {}

    /** A client for the cluster at an address; the caller closes it. */
    public static RestClusterClient<StandaloneClusterId> of(URI cluster) {
        return of(cluster, new Configuration());
    }

    private static RestClusterClient<StandaloneClusterId> of(
            URI cluster, Configuration configuration) {
        configuration.set(RestOptions.ADDRESS, cluster.getHost());
        configuration.set(RestOptions.PORT, cluster.getPort());
        try {
            return new RestClusterClient<>(configuration, StandaloneClusterId.getInstance());
        } catch (Exception e) {
            throw new IllegalStateException("no client of " + cluster + ": " + e, e);
        }
    }

    /** A client for a job of a cluster. */
    public static JobClient job(URI cluster, JobID id) {
        Configuration patient = new Configuration();
        long tries = PATIENCE.dividedBy(patient.get(RestOptions.RETRY_DELAY));
        patient.set(RestOptions.RETRY_MAX_ATTEMPTS, (int) tries);
        return new ClusterClientJobClientAdapter<>(
                () -> of(cluster, patient), id, SessionClients.class.getClassLoader());
    }
}
