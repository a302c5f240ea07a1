package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.LearningRateRule;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Snapshot;

import java.util.ArrayList;
import java.util.List;

/** Wraps a policy and replaces its learning-rate rule. */
final class RatedPolicy extends WrappedPolicy {
    private final LearningRateRule rates;

    RatedPolicy(Policy policy, LearningRateRule rates) {
        super(policy);
        this.rates = rates;
    }

    @Override
    public List<Decision> decide(Snapshot snapshot) {
        List<Decision> rated = new ArrayList<>();
        List<Decision> decisions = wrapped().decide(snapshot);
        for (int i = 0; i < decisions.size(); i++) {
            Decision decision = decisions.get(i);
            JobView job = snapshot.jobs().get(i);
            rated.add(
                    decision.withLearningRate(
                            rates.of(job.spec(), decision.workers(), decision.localBatch())));
        }
        return rated;
    }
}
