package dev.levee.jobs.internal.run.cluster;

import dev.levee.jobs.internal.config.Deployment;

import java.net.URI;

/**
 * A running cluster: one in this process, which ends on {@link #close}, or the one at {@code
 * --target}.
 *
 * @param address address of the REST API
 * @param own the cluster in this process, null for a remote one
 */
public record OpenCluster(URI address, EmbeddedCluster own) implements AutoCloseable {
    /**
     * Starts a cluster in this process, or connects to the one that the deployment names.
     *
     * @param slots number of slots of a cluster in this process
     * @throws IllegalStateException if no cluster answers at the target; one sentence
     */
    public static OpenCluster of(Deployment deployment, int slots) throws Exception {
        if (deployment.embedded()) {
            EmbeddedCluster own = EmbeddedCluster.start(deployment, slots);
            return new OpenCluster(own.address(), own);
        }
        JobCluster.requireAnswer(deployment.target());
        return new OpenCluster(URI.create(deployment.target()), null);
    }

    /** True if jobs continue after the end of this process. */
    public boolean survives() {
        return own == null;
    }

    /**
     * A sentence that tells where the web UI is.
     *
     * @param watched true if the command waits for its jobs
     */
    public String webUi(boolean watched) {
        return "Flink's web UI is at "
                + address
                + (survives() && watched ? "; Ctrl-C detaches from the run" : "");
    }

    @Override
    public void close() throws Exception {
        if (own != null) {
            own.close();
        }
    }
}
