package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.LearningRateRule;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.BatchDoubling;
import dev.levee.k8s.allocator.internal.Demand;
import dev.levee.k8s.allocator.internal.Greedy;
import dev.levee.k8s.allocator.internal.JobAdmission;
import dev.levee.k8s.allocator.internal.RoundTime;
import dev.levee.k8s.allocator.internal.Throughput;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The elastic resource allocator (ERA). It chooses workers by maximizing Σ e_j·Δ_j − γ_j·|Δ_j|
 * exactly, then the batch by utilization. Waiting jobs enter in order of submission as soon as the
 * minima of all participating jobs fit.
 */
public final class EraPolicy implements Policy {
    /** The definition of e_j·Δ. */
    public enum Efficiency {
        /** e at the current number of workers, from a linear model (the thesis). */
        LINEAR,
        /**
         * The n-th worker counts by the share of throughput that it adds, 1 − t(n−1)/t(n), from a
         * curve.
         */
        CURVE
    }

    /** The definition of γ_j. */
    public enum Penalty {
        /** Share of the scaling rounds in which the job was scaled (the thesis). */
        COUNT,
        /** Pause of the last rescaling, as a share of the time between decisions; at most 1. */
        PAUSE
    }

    private final String name;
    private final boolean scaleWorkers;
    private final boolean scaleBatch;
    private final Efficiency efficiency;
    private final Penalty penalty;
    private final double decisionSeconds;
    private final BatchDoubling batches;
    private final LearningRateRule rates;

    /**
     * A variant of ERA.
     *
     * @param scaleWorkers false to leave jobs at the workers they start with
     * @param scaleBatch false to leave jobs at the batch they ask for
     * @param decisionSeconds time between decisions, to which pauses are compared
     * @param compute the batch grows only below this compute utilization
     * @param memory the batch grows only below this memory utilization
     * @param rates how the learning rate follows the global batch
     */
    public EraPolicy(
            String name,
            boolean scaleWorkers,
            boolean scaleBatch,
            Efficiency efficiency,
            Penalty penalty,
            double decisionSeconds,
            double compute,
            double memory,
            LearningRateRule rates) {
        this.name = name;
        this.scaleWorkers = scaleWorkers;
        this.scaleBatch = scaleBatch;
        this.efficiency = efficiency;
        this.penalty = penalty;
        this.decisionSeconds = decisionSeconds;
        this.batches = new BatchDoubling(compute, memory);
        this.rates = rates;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean usesThresholds() {
        return scaleBatch;
    }

    @Override
    public List<Decision> decide(Snapshot snapshot) {
        Set<String> admitted = JobAdmission.of(snapshot, this::need);
        List<Throughput> models = new ArrayList<>();
        List<Demand> demands = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            if (admitted.contains(job.id())) {
                Throughput model = model(job);
                models.add(model);
                demands.add(demand(job, model, snapshot));
            }
        }
        int[] workers = Greedy.share(demands, snapshot.slots());
        List<Decision> decisions = new ArrayList<>();
        int next = 0;
        for (JobView job : snapshot.jobs()) {
            if (admitted.contains(job.id())) {
                decisions.add(runs(job, workers[next], models.get(next), snapshot));
                next++;
            } else {
                decisions.add(waits(job));
            }
        }
        return decisions;
    }

    private Throughput model(JobView job) {
        return efficiency == Efficiency.LINEAR ? Throughput.linear(job) : RoundTime.asMeasured(job);
    }

    private int need(JobView job) {
        return scaleWorkers ? job.least() : WorkerDecisions.requested(job);
    }

    private Demand demand(JobView job, Throughput model, Snapshot snapshot) {
        if (!scaleWorkers) {
            int fixed = WorkerDecisions.requested(job);
            return new Demand(fixed, fixed, n -> 0);
        }
        double cost = penalty(job, snapshot);
        if (efficiency == Efficiency.LINEAR) {
            double e = model.efficiency(job.workers());
            return Demand.linear(job.least(), job.most(), job.workers(), e, cost);
        }
        double each = cost / Math.max(1, job.workers());
        return new Demand(
                job.least(),
                job.most(),
                n ->
                        (n > 1 ? 1 - model.at(n - 1) / model.at(n) : 1)
                                + (n > job.workers() ? -each : each));
    }

    private double penalty(JobView job, Snapshot snapshot) {
        if (!job.running()) {
            return 0; // starting is not rescaling
        }
        if (penalty == Penalty.PAUSE) {
            return Double.isNaN(job.pauseSeconds())
                    ? 0
                    : Math.min(1, job.pauseSeconds() / decisionSeconds);
        }
        long rounds = snapshot.scalingRounds();
        return rounds == 0 ? 0 : (double) job.memory().scalings() / rounds;
    }

    private Decision waits(JobView job) {
        return new Decision(
                job.id(),
                0,
                batch(job, 0).localBatch(),
                job.spec().bounds().learningRate(),
                Reasons.waits(need(job)));
    }

    private Decision runs(JobView job, int workers, Throughput model, Snapshot snapshot) {
        BatchDoubling.Choice batch = batch(job, workers);
        return new Decision(
                job.id(),
                workers,
                batch.localBatch(),
                rates.of(job.spec(), workers, batch.localBatch()),
                "%s: efficiency %s at %s workers, penalty %s; %s"
                        .formatted(
                                Reasons.change(job, workers),
                                Reasons.hundredths(model.efficiency(job.workers())),
                                Math.max(1, job.workers()),
                                Reasons.hundredths(penalty(job, snapshot)),
                                batch.why()));
    }

    private BatchDoubling.Choice batch(JobView job, int workers) {
        return scaleBatch
                ? batches.next(job, workers)
                : new BatchDoubling.Choice(
                        job.localBatch(), "batch " + job.localBatch() + " is fixed");
    }
}
