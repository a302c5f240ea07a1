package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Snapshot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Adds a fixed number of workers to each job as long as the previous step made it faster (Or et al.
 * 2020, "Resource elasticity in distributed deep learning"). The policy never takes workers from a
 * job, so a job waits until its start workers are free.
 */
final class AutoscalerPolicy implements Policy {
    private static final int INCREMENT = 4;

    /** Minimum gain in throughput, relative to the smaller size. */
    private static final double WORTHWHILE = 0.01;

    @Override
    public String name() {
        return "autoscaler";
    }

    @Override
    public List<Decision> decide(Snapshot snapshot) {
        Set<String> admitted = WorkerDecisions.admitRequested(snapshot);
        int free = snapshot.slots();
        for (JobView job : snapshot.jobs()) {
            free -= admitted.contains(job.id()) ? WorkerDecisions.requested(job) : 0;
        }
        Map<String, Integer> workers = new HashMap<>();
        for (JobView job : snapshot.jobs()) {
            int has = admitted.contains(job.id()) ? WorkerDecisions.requested(job) : 0;
            if (has > 0 && job.running() && keepsImproving(job)) {
                int more = Math.min(Math.min(INCREMENT, free), Math.max(0, job.most() - has));
                free -= more;
                has += more;
            }
            workers.put(job.id(), has);
        }
        return WorkerDecisions.decide(
                snapshot,
                job -> workers.get(job.id()),
                (job, n) ->
                        n == 0
                                ? "waits for its turn"
                                : n > job.workers()
                                        ? "gets more as long as that makes it faster"
                                        : "keeps " + n + " workers");
    }

    /** True if the current size has been measured, and the last increase, if any, paid off. */
    private static boolean keepsImproving(JobView job) {
        Measurement now = null;
        Measurement fewer = null;
        for (Measurement each : job.memory().history()) {
            if (each.workers() == job.workers()) {
                now = each;
            } else if (each.workers() < job.workers()
                    && (fewer == null || each.workers() > fewer.workers())) {
                fewer = each;
            }
        }
        return now != null
                && (fewer == null
                        || now.samplesPerSecond() > fewer.samplesPerSecond() * (1 + WORTHWHILE));
    }
}
