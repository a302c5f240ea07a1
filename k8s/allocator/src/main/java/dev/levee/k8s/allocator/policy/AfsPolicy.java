package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.RoundTime;

import java.util.List;

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
        return WorkerDecisions.greedy(
                snapshot,
                job -> {
                    RoundTime rate = RoundTime.asMeasured(job);
                    return n -> (rate.at(n) - rate.at(n - 1)) / rate.at(n);
                },
                "relative throughput gain");
    }
}
