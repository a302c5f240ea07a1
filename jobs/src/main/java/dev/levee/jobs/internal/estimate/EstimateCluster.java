package dev.levee.jobs.internal.estimate;

import dev.levee.estimation.flink.EstimationJob;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.ElasticBounds;
import dev.levee.jobs.internal.run.cluster.EmbeddedCluster;
import dev.levee.k8s.flink.ElasticRequest;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * The cluster that an estimate runs on: its own, or the one at {@code --target}.
 *
 * @param elastic bounds of its slots, which an allocator chooses; null if nobody does
 */
record EstimateCluster(Deployment deployment, ElasticBounds elastic) {
    /** Key groups of the repetitions, and so the most slots. */
    static final int MAX_PARALLELISM = 128;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Checks that somebody can change the slots of an elastic estimate.
     *
     * @throws IllegalArgumentException if nobody can; one sentence
     */
    void check() {
        if (elastic == null) {
            return;
        }
        if (deployment.embedded()) {
            throw new IllegalArgumentException(
                    "--elastic needs a cluster that jobs share: give --target, such as the one of"
                            + " levee cluster start");
        }
        if (elastic.max() > MAX_PARALLELISM) {
            throw new IllegalArgumentException(
                    "--elastic allows an estimate at most %d slots, got max=%d"
                            .formatted(MAX_PARALLELISM, elastic.max()));
        }
        Integer start = deployment.parallelism();
        if (start != null && (start < elastic.min() || start > elastic.max())) {
            throw new IllegalArgumentException(
                    "--parallelism of an elastic estimate is how many slots it starts with, from"
                            + " %d to %d, got %d".formatted(elastic.min(), elastic.max(), start));
        }
    }

    /** What an allocator has to know of an estimate that starts with so many slots. */
    Optional<ElasticRequest> request(int slots) {
        return elastic == null
                ? Optional.empty()
                : Optional.of(
                        ElasticRequest.ofTasks(
                                elastic.min(), elastic.max(), slots, EstimationJob.REPETITIONS));
    }

    /** Null where there is one to submit to. */
    EmbeddedCluster open() throws Exception {
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
    URI ready(URI at) {
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
    int parallelism(URI address) throws IOException {
        if (deployment.embedded() || deployment.parallelism() != null) {
            return slots();
        }
        int free = new FlinkRest(address).overview().path("slots-available").asInt();
        return elastic == null
                ? Math.max(1, Math.min(free, MAX_PARALLELISM))
                : Math.max(elastic.min(), Math.min(free, elastic.max()));
    }
}
