package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.LearningRateRule;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.SlotClass;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.Auction;
import dev.levee.k8s.allocator.internal.BatchDoubling;
import dev.levee.k8s.allocator.internal.ClassDemand;
import dev.levee.k8s.allocator.internal.JobAdmission;
import dev.levee.k8s.allocator.internal.RoundTime;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * ERA for nodes of different speed. The slowest worker determines the time of a synchronous round,
 * so a job gets a number of workers and the slowest class of slots that they may have. The policy
 * maximizes the sum of the logarithms of the jobs' throughputs, minus the cost of moving. On equal
 * nodes, it ranks workers like {@code era-curve}. Jobs enter as in ERA.
 */
final class EraNodesPolicy implements Policy {
    private final double decisionSeconds;
    private final BatchDoubling batches;

    /**
     * Creates the policy.
     *
     * @param decisionSeconds time between decisions, to which pauses are compared
     */
    EraNodesPolicy(double decisionSeconds, Tuning tuning) {
        this.decisionSeconds = decisionSeconds;
        this.batches = new BatchDoubling(tuning.compute(), tuning.memory());
    }

    @Override
    public String name() {
        return "era-nodes";
    }

    @Override
    public boolean usesThresholds() {
        return true;
    }

    @Override
    public List<Decision> decide(Snapshot snapshot) {
        Set<String> admitted = JobAdmission.of(snapshot, JobView::least);
        List<ClassDemand> demands = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            if (admitted.contains(job.id())) {
                demands.add(demand(job, snapshot.classes()));
            }
        }
        int[] slots = new int[snapshot.classes().size()];
        for (int c = 0; c < slots.length; c++) {
            slots[c] = snapshot.classes().get(c).slots();
        }
        Auction.Shares shares = Auction.share(demands, slots);
        List<Decision> decisions = new ArrayList<>();
        int next = 0;
        for (JobView job : snapshot.jobs()) {
            if (admitted.contains(job.id())) {
                SlotClass slowest = snapshot.classes().get(shares.classes()[next]);
                decisions.add(runs(job, shares.workers()[next], slowest.speed()));
                next++;
            } else {
                decisions.add(waits(job));
            }
        }
        return decisions;
    }

    /**
     * The demand of a job. Losing workers costs their share of two pauses, so that the gap between
     * keeping and gaining a worker is as in {@code era-curve}. Gaining workers costs nothing, so
     * that no slot stays idle to avoid a pause.
     */
    private ClassDemand demand(JobView job, List<SlotClass> classes) {
        RoundTime round = RoundTime.onUnitSlots(job);
        double pause = pause(job);
        return new ClassDemand(
                job.least(),
                job.most(),
                (n, c) -> {
                    double speed = classes.get(c).speed();
                    double lost = Math.max(0, 1 - (double) n / job.workers());
                    return StrictMath.log(round.at(n, speed))
                            - 2 * pause * (job.running() ? lost : 0)
                            - (speed == job.speed() ? 0 : pause);
                });
    }

    /** Pause of the job's last rescaling, as a share of the time between decisions; at most 1. */
    private double pause(JobView job) {
        return job.running() && !Double.isNaN(job.pauseSeconds())
                ? Math.min(1, job.pauseSeconds() / decisionSeconds)
                : 0;
    }

    private Decision waits(JobView job) {
        return new Decision(
                job.id(),
                0,
                batches.next(job, 0).localBatch(),
                job.spec().bounds().learningRate(),
                Reasons.waits(job.least()));
    }

    private Decision runs(JobView job, int workers, double speed) {
        BatchDoubling.Choice batch = batches.next(job, workers);
        return new Decision(
                job.id(),
                workers,
                batch.localBatch(),
                LearningRateRule.LINEAR.of(job.spec(), workers, batch.localBatch()),
                "%s on slots of speed %s or more: a pause is %s of the time between decisions; %s"
                        .formatted(
                                Reasons.change(job, workers),
                                Reasons.hundredths(speed),
                                Reasons.hundredths(pause(job)),
                                batch.why()),
                speed);
    }
}
