package dev.levee.jobs.internal.estimate;

import dev.levee.estimation.flink.EstimationJob;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.ElasticBounds;
import dev.levee.jobs.internal.run.cluster.JobCluster;
import dev.levee.k8s.flink.ElasticRequest;

import java.util.Optional;

/**
 * The cluster of an estimate, with its bounds of slots.
 *
 * @param elastic bounds between which an allocator chooses the slots; null if they are fixed
 */
record EstimateCluster(Deployment deployment, ElasticBounds elastic) {
    /**
     * Checks that an allocator can change the slots of an elastic estimate within its bounds.
     *
     * @throws IllegalArgumentException if the cluster is embedded, or a number of slots is out of
     *     range; one sentence
     */
    void check() {
        if (elastic == null) {
            return;
        }
        deployment.checkElastic();
        if (elastic.max() > JobCluster.MAX_PARALLELISM) {
            throw new IllegalArgumentException(
                    "--elastic allows an estimate at most %d slots, got max=%d"
                            .formatted(JobCluster.MAX_PARALLELISM, elastic.max()));
        }
        Integer start = deployment.parallelism();
        if (start != null && (start < elastic.min() || start > elastic.max())) {
            throw new IllegalArgumentException(
                    "--parallelism of an elastic estimate is its initial number of slots, from"
                            + " %d to %d, got %d".formatted(elastic.min(), elastic.max(), start));
        }
    }

    /**
     * The request to an allocator for an estimate that starts with this many slots; empty if the
     * slots are fixed.
     */
    Optional<ElasticRequest> request(int slots) {
        return elastic == null
                ? Optional.empty()
                : Optional.of(
                        ElasticRequest.ofTasks(
                                elastic.min(), elastic.max(), slots, EstimationJob.REPETITIONS));
    }

    JobCluster jobs() {
        return elastic == null
                ? new JobCluster(deployment)
                : new JobCluster(deployment, elastic.min(), elastic.max());
    }
}
