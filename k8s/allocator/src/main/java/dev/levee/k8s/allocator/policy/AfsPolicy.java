package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.Demand;
import dev.levee.k8s.allocator.internal.RoundTime;

import java.util.List;
import java.util.Map;

/**
 * Gives every job its minimum, then each further worker to the job whose throughput it raises by
 * the largest share (Hwang et al., "Elastic resource sharing for distributed deep learning", NSDI
 * 2021; AFS-P, which does not know the lengths of jobs). Waiting jobs enter in order of submission
 * as soon as the minima fit.
 */
final class AfsPolicy implements Policy {
    @Override
    public String name() {
        return "afs-p";
    }

    @Override
    public List<Decision> decide(Snapshot snapshot) {
        Map<String, Integer> shares =
                WorkerDecisions.byGain(
                        snapshot,
                        job -> {
                            RoundTime rate = RoundTime.asMeasured(job);
                            return new Demand(
                                    job.least(),
                                    job.most(),
                                    n -> (rate.at(n) - rate.at(n - 1)) / rate.at(n));
                        });
        return WorkerDecisions.decide(
                snapshot,
                job -> shares.getOrDefault(job.id(), 0),
                (job, n) ->
                        n == 0
                                ? "waits: the minimums of the jobs before it leave no room"
                                : n + " workers by relative throughput gain");
    }
}
