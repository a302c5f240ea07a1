package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.Policy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The ratio of jobs' times to those they would have taken alone on the same cluster. */
public final class Slowdown {
    private Slowdown() {}

    /**
     * The largest ratio of a job's completion time to that of the same job, submitted at the same
     * time, without others.
     *
     * @param outcome what the simulation of these arguments came to
     */
    public static double worst(
            Outcome outcome, Workload workload, Policy policy, ClusterSize size, Timing timing) {
        Map<String, Submission> submissions = new HashMap<>();
        workload.jobs().forEach(job -> submissions.put(job.elastic().id(), job));
        double worst = 1;
        for (Outcome.Job job : outcome.jobs()) {
            Workload alone = new Workload(workload.name(), List.of(submissions.get(job.id())));
            double least =
                    Simulation.run(alone, policy, size, timing, point -> {}).averageJctSeconds();
            worst = Math.max(worst, job.completionSeconds() / least);
        }
        return worst;
    }
}
