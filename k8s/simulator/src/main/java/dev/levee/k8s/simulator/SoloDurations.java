package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.Policy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Simulates each job alone on a part of the cluster, under the same policy. The job keeps its time
 * of submission, so that it waits as long for decisions as in the shared cluster. Not thread-safe.
 */
final class SoloDurations {
    private final Policy policy;
    private final ClusterSize size;
    private final Timing timing;
    private final Map<String, Workload> workloads = new HashMap<>();
    private final Map<String, Map<Integer, Double>> known = new HashMap<>();

    SoloDurations(Workload workload, Policy policy, ClusterSize size, Timing timing) {
        this.policy = policy;
        this.size = size;
        this.timing = timing;
        for (Submission job : workload.jobs()) {
            String id = job.elastic().id();
            workloads.put(id, new Workload(workload.name(), List.of(job)));
            known.put(id, new HashMap<>());
        }
    }

    /** Completion time of a job on some slots of the cluster, in seconds. */
    double seconds(String job, int slots) {
        return known.get(job)
                .computeIfAbsent(
                        slots,
                        count ->
                                Simulation.run(
                                                workloads.get(job),
                                                policy,
                                                size.part(count),
                                                timing,
                                                point -> {})
                                        .averageJctSeconds());
    }

    /**
     * Completion time of a job on a share of the cluster, in seconds. For a fractional share, the
     * job has the larger number of slots for a part of the time: 1 / seconds is interpolated
     * linearly. If the share is below the job's minimum, the job has its minimum for a part of the
     * time.
     *
     * @param share number of slots, above 0
     */
    double seconds(String job, double share) {
        int need = need(job);
        if (share <= need) {
            return seconds(job, need) * need / share;
        }
        int below = (int) Math.floor(share);
        double part = share - below;
        if (part == 0) {
            return seconds(job, below);
        }
        return 1 / ((1 - part) / seconds(job, below) + part / seconds(job, below + 1));
    }

    private int need(String job) {
        Submission submission = workloads.get(job).jobs().get(0);
        JobBounds bounds =
                (policy.elastic() ? submission.elastic() : submission.asRequested()).bounds();
        return policy.elastic() ? bounds.minWorkers() : bounds.startWorkers();
    }
}
