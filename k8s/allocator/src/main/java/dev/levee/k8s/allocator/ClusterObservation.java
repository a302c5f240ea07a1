package dev.levee.k8s.allocator;

import java.util.List;

/**
 * An adapter's view of a cluster at one moment.
 *
 * @param slots workers that there is room for, over all jobs that take part
 * @param jobs the jobs that take part
 */
public record ClusterObservation(int slots, List<Observation> jobs) {
    /** A copy of its own. */
    public ClusterObservation {
        jobs = List.copyOf(jobs);
    }
}
