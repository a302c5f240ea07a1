package dev.levee.k8s.simulator;

import java.util.List;

/**
 * Jobs and when they come.
 *
 * @param name for tables
 * @param jobs in order of submission; times are seconds after {@link java.time.Instant#EPOCH}
 */
public record Workload(String name, List<Submission> jobs) {
    /** Copies its arguments. */
    public Workload {
        jobs = List.copyOf(jobs);
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException("workload " + name + " has no jobs");
        }
    }
}
