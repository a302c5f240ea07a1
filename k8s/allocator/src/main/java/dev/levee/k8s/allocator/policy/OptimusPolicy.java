package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.Demand;
import dev.levee.k8s.allocator.internal.RoundTime;

import java.util.List;
import java.util.Map;

/**
 * Gives every job its minimum, then each further worker to the job whose remaining time it shortens
 * most (Peng et al., "Optimus", EuroSys 2018). Jobs of unknown remaining time count as equally
 * long. Waiting jobs enter in order of submission as soon as the minima fit.
 */
final class OptimusPolicy implements Policy {
    @Override
    public String name() {
        return "optimus";
    }

    @Override
    public boolean startsOnArrival() {
        return false;
    }

    @Override
    public boolean usesLengths() {
        return true;
    }

    @Override
    public List<Decision> decide(Snapshot snapshot) {
        Map<String, Integer> shares =
                WorkerDecisions.byGain(
                        snapshot,
                        job -> {
                            RoundTime rate = RoundTime.asMeasured(job);
                            double remaining = remaining(job);
                            return new Demand(
                                    job.least(),
                                    job.most(),
                                    n -> remaining / rate.at(n - 1) - remaining / rate.at(n));
                        });
        return WorkerDecisions.decide(
                snapshot,
                job -> shares.getOrDefault(job.id(), 0),
                (job, n) ->
                        n == 0
                                ? "waits: the minimums of the jobs before it leave no room"
                                : n + " workers by what they save of the remaining time");
    }

    private static double remaining(JobView job) {
        return Double.isNaN(job.remainingSamples()) ? 1 : job.remainingSamples();
    }
}
