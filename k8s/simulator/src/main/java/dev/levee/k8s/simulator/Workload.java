package dev.levee.k8s.simulator;

import java.util.List;

/**
 * Jobs with their times of submission.
 *
 * @param name name of the workload, for tables
 * @param jobs the jobs in order of submission; times are seconds after {@link
 *     java.time.Instant#EPOCH}
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
