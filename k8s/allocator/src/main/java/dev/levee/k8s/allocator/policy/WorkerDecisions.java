package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.LearningRateRule;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.Demand;
import dev.levee.k8s.allocator.internal.Greedy;
import dev.levee.k8s.allocator.internal.JobAdmission;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Converts numbers of workers to decisions that do not change the batch. */
final class WorkerDecisions {
    private WorkerDecisions() {}

    /** Decisions in the snapshot's order. */
    static List<Decision> decide(
            Snapshot snapshot,
            ToIntFunction<JobView> workers,
            BiFunction<JobView, Integer, String> why) {
        return snapshot.jobs().stream()
                .map(
                        job -> {
                            int n = workers.applyAsInt(job);
                            return new Decision(
                                    job.id(),
                                    n,
                                    job.localBatch(),
                                    LearningRateRule.LINEAR.of(job.spec(), n, job.localBatch()),
                                    why.apply(job, n));
                        })
                .toList();
    }

    /** The jobs that have the workers they request, or for which there is room. */
    static Set<String> admitRequested(Snapshot snapshot) {
        return JobAdmission.of(snapshot, WorkerDecisions::requested);
    }

    /** The workers that a job has, or requests while it waits. */
    static int requested(JobView job) {
        return job.running() ? Math.min(job.workers(), job.most()) : job.start();
    }

    /**
     * Gives as many jobs as fit their minima, then each further worker to the job that gains most.
     *
     * @param gain the value of one more worker of a job
     * @param reason by what the workers are given
     */
    static List<Decision> greedy(
            Snapshot snapshot, Function<JobView, Demand.Gain> gain, String reason) {
        Set<String> admitted = JobAdmission.of(snapshot, JobView::least);
        List<JobView> taking =
                snapshot.jobs().stream().filter(job -> admitted.contains(job.id())).toList();
        List<Demand> demands =
                taking.stream()
                        .map(job -> new Demand(job.least(), job.most(), gain.apply(job)))
                        .toList();
        int[] workers = Greedy.share(demands, snapshot.slots());
        Map<String, Integer> shares = new HashMap<>();
        for (int i = 0; i < workers.length; i++) {
            shares.put(taking.get(i).id(), workers[i]);
        }
        return decide(
                snapshot,
                job -> shares.getOrDefault(job.id(), 0),
                (job, n) ->
                        n == 0
                                ? "waits: the minimums of the jobs before it leave no room"
                                : n + " workers by " + reason);
    }
}
