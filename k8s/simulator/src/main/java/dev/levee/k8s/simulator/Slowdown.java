package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.Policy;

/** Compares jobs' completion times with their times alone on the same cluster. */
public final class Slowdown {
    private Slowdown() {}

    /**
     * The largest ratio of a job's completion time to its completion time alone, with the same time
     * of submission.
     *
     * @param outcome the result of simulating the other arguments
     */
    public static double worst(
            Outcome outcome, Workload workload, Policy policy, ClusterSize size, Timing timing) {
        SoloDurations alone = new SoloDurations(workload, policy, size, timing);
        double worst = 1;
        for (Outcome.Job job : outcome.jobs()) {
            double least = alone.seconds(job.id(), size.slots());
            worst = Math.max(worst, job.completionSeconds() / least);
        }
        return worst;
    }
}
