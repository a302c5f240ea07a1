package dev.levee.jobs.internal.run.cluster;

import dev.levee.jobs.internal.config.Deployment;

import java.net.URI;

/**
 * A cluster that answers: one in this process, which ends when this closes, or the one at {@code
 * --target}.
 *
 * @param address of its REST API
 * @param own the cluster in this process, null if it is another's
 */
public record OpenCluster(URI address, EmbeddedCluster own) implements AutoCloseable {
    /**
     * Starts a cluster in this process, or reaches the one that the deployment names.
     *
     * @param slots the slots of a cluster in this process
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

    /** True if jobs continue when this process ends. */
    public boolean survives() {
        return own == null;
    }

    /**
     * Tells where the web UI is.
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
