package dev.levee.jobs.internal.run.cluster;

import org.apache.flink.api.common.JobID;
import org.apache.flink.client.deployment.ClusterClientJobClientAdapter;
import org.apache.flink.client.deployment.StandaloneClusterId;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.JobClient;

import java.net.URI;

/** Creates Flink's clients of a session cluster. */
public final class SessionClients {
    private SessionClients() {}

    /** Returns a client for the cluster at an address, which the caller closes. */
    public static RestClusterClient<StandaloneClusterId> of(URI cluster) {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.ADDRESS, cluster.getHost());
        configuration.set(RestOptions.PORT, cluster.getPort());
        try {
            return new RestClusterClient<>(configuration, StandaloneClusterId.getInstance());
        } catch (Exception e) {
            throw new IllegalStateException("no client of " + cluster + ": " + e, e);
        }
    }

    /** Returns a client for a job of a cluster. */
    public static JobClient job(URI cluster, JobID id) {
        return new ClusterClientJobClientAdapter<>(
                () -> of(cluster), id, SessionClients.class.getClassLoader());
    }
}
