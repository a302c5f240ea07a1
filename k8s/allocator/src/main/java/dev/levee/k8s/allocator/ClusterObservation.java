package dev.levee.k8s.allocator;

import java.util.List;

/**
 * An adapter's view of a cluster at one moment.
 *
 * @param slots number of workers that the cluster has room for, over all participating jobs
 * @param jobs the participating jobs
 */
public record ClusterObservation(int slots, List<Observation> jobs) {
    /** Copies the list. */
    public ClusterObservation {
        jobs = List.copyOf(jobs);
    }
}
