package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.Policy;

/** The ratio of jobs' times to those they would have taken alone on the same cluster. */
public final class Slowdown {
    private Slowdown() {}

    /**
     * The largest ratio of a job's completion time to that of the same job, submitted at the same
     * time, without others.
     *
     * @param outcome the result of the simulation of these arguments
     */
    public static double worst(
            Outcome outcome, Workload workload, Policy policy, ClusterSize size, Timing timing) {
        Alone alone = new Alone(workload, policy, size, timing);
        double worst = 1;
        for (Outcome.Job job : outcome.jobs()) {
            double least = alone.seconds(job.id(), size.slots());
            worst = Math.max(worst, job.completionSeconds() / least);
        }
        return worst;
    }
}
