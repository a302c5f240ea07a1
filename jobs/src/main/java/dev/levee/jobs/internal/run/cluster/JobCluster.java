package dev.levee.jobs.internal.run.cluster;

import dev.levee.jobs.internal.config.Deployment;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/**
 * The cluster that a bounded job runs on: its own, or the one at {@code --target}.
 *
 * @param least slots that the job takes even if fewer are free
 * @param most slots that it takes however many are free
 */
public record JobCluster(Deployment deployment, int least, int most) {
    /** Key groups of the job, and so the most slots. */
    public static final int MAX_PARALLELISM = 128;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** For a job that takes whatever is free. */
    public JobCluster(Deployment deployment) {
        this(deployment, 1, MAX_PARALLELISM);
    }

    /** Null where there is one to submit to. */
    public EmbeddedCluster open() throws Exception {
        if (deployment.embedded()) {
            return EmbeddedCluster.start(deployment, slots());
        }
        try {
            new FlinkRest(URI.create(deployment.target())).overview();
            return null;
        } catch (IOException e) {
            throw new IllegalStateException(
                    "--target %s does not answer like a Flink cluster"
                            .formatted(deployment.target()),
                    e);
        }
    }

    private int slots() {
        int most =
                deployment.parallelism() != null
                        ? deployment.parallelism()
                        : Runtime.getRuntime().availableProcessors();
        return Math.min(most, MAX_PARALLELISM);
    }

    /** Waits until all its slots are registered. */
    public URI ready(URI at) {
        FlinkRest rest = new FlinkRest(at);
        boolean up =
                Await.until(
                        PATIENCE,
                        () -> rest.get("/overview").path("slots-total").asInt() == slots());
        if (!up) {
            throw new IllegalStateException(
                    "the embedded cluster was not ready within " + PATIENCE.toSeconds() + " s");
        }
        return at;
    }

    /** Subtasks of a job: those asked for, or as many as there are free slots. */
    public int parallelism(URI address) throws IOException {
        if (deployment.embedded() || deployment.parallelism() != null) {
            return slots();
        }
        int free = new FlinkRest(address).overview().path("slots-available").asInt();
        return Math.max(least, Math.min(free, most));
    }
}
