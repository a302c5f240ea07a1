package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.RoundTime;

import java.util.List;

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
        return WorkerDecisions.greedy(
                snapshot,
                job -> {
                    RoundTime rate = RoundTime.asMeasured(job);
                    double known = job.remainingSamples();
                    double remaining = Double.isNaN(known) ? 1 : known;
                    return n -> remaining / rate.at(n - 1) - remaining / rate.at(n);
                },
                "what they save of the remaining time");
    }
}
