package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Snapshot;

import java.util.List;
import java.util.Set;

/** First come, first served: a job gets the workers it requests until it ends. */
final class StaticPolicy implements Policy {
    @Override
    public String name() {
        return "static";
    }

    @Override
    public boolean elastic() {
        return false;
    }

    @Override
    public List<Decision> decide(Snapshot snapshot) {
        Set<String> admitted = WorkerDecisions.admitRequested(snapshot);
        return WorkerDecisions.decide(
                snapshot,
                job -> admitted.contains(job.id()) ? WorkerDecisions.requested(job) : 0,
                (job, workers) ->
                        workers > 0
                                ? "has the " + workers + " workers it asked for"
                                : "waits for its turn");
    }
}
