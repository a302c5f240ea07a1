package dev.levee.k8s.policy;

import dev.levee.k8s.Decision;
import dev.levee.k8s.JobView;
import dev.levee.k8s.LearningRateRule;
import dev.levee.k8s.Policy;
import dev.levee.k8s.Snapshot;
import dev.levee.k8s.internal.Admission;
import dev.levee.k8s.internal.BatchScaling;
import dev.levee.k8s.internal.Demand;
import dev.levee.k8s.internal.Greedy;
import dev.levee.k8s.internal.Throughput;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The elastic resource allocator: workers by Σ e_j·Δ_j − γ_j·|Δ_j|, solved exactly, then the batch
 * by utilisation. A waiting job enters in order of submission as soon as the minima of all that
 * take part fit; it waits no longer than the minima before it.
 */
public final class EraPolicy implements Policy {
    /** How e_j·Δ is valued. */
    public enum Efficiency {
        /** e of the present number of workers, from a linear model (the thesis). */
        LINEAR,
        /** The n-th worker by the share it adds to throughput, 1 − t(n−1)/t(n), from a curve. */
        CURVE
    }

    /** What γ_j is. */
    public enum Penalty {
        /** Share of the scaling rounds in which the job was scaled (the thesis). */
        COUNT,
        /** Share of the time between decisions that its last rescaling took. */
        PAUSE
    }

    private final String name;
    private final boolean scaleWorkers;
    private final boolean scaleBatch;
    private final Efficiency efficiency;
    private final Penalty penalty;
    private final double decisionSeconds;
    private final BatchScaling batches;
    private final LearningRateRule rates;

    /**
     * A variant of ERA.
     *
     * @param scaleWorkers false to leave jobs at the workers they start with
     * @param scaleBatch false to leave jobs at the batch they ask for
     * @param decisionSeconds time between decisions, which a pause is compared with
     * @param compute the batch grows only below this compute utilisation
     * @param memory the batch grows only below this memory utilisation
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
        this.batches = new BatchScaling(compute, memory);
        this.rates = rates;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Decision> decide(Snapshot snapshot) {
        Set<String> admitted = Admission.of(snapshot, this::need);
        List<JobView> taking =
                snapshot.jobs().stream().filter(job -> admitted.contains(job.id())).toList();
        List<Demand> demands = taking.stream().map(job -> demand(job, snapshot)).toList();
        int[] workers = Greedy.share(demands, snapshot.slots());
        Map<String, Integer> shares = new HashMap<>();
        for (int i = 0; i < workers.length; i++) {
            shares.put(taking.get(i).id(), workers[i]);
        }
        List<Decision> decisions = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            decisions.add(decision(job, shares.getOrDefault(job.id(), 0), snapshot));
        }
        return decisions;
    }

    private int need(JobView job) {
        return scaleWorkers ? job.least() : fixed(job);
    }

    private static int fixed(JobView job) {
        return job.running() ? Math.min(job.workers(), job.most()) : job.start();
    }

    private Demand demand(JobView job, Snapshot snapshot) {
        if (!scaleWorkers) {
            return new Demand(fixed(job), fixed(job), n -> 0);
        }
        double cost = penalty(job, snapshot);
        if (efficiency == Efficiency.LINEAR) {
            double e = Throughput.linear(job).efficiency(job.workers());
            return Demand.linear(job.least(), job.most(), job.workers(), e, cost);
        }
        Throughput curve = Throughput.curve(job);
        double each = cost / Math.max(1, job.workers());
        return new Demand(
                job.least(),
                job.most(),
                n ->
                        (n > 1 ? 1 - curve.at(n - 1) / curve.at(n) : 1)
                                + (n > job.workers() ? -each : each));
    }

    private double penalty(JobView job, Snapshot snapshot) {
        if (!job.running()) {
            return 0; // to start is no rescaling
        }
        if (penalty == Penalty.PAUSE) {
            return Double.isNaN(job.pauseSeconds()) ? 0 : job.pauseSeconds() / decisionSeconds;
        }
        long rounds = snapshot.scalingRounds();
        return rounds == 0 ? 0 : (double) job.memory().scalings() / rounds;
    }

    private Decision decision(JobView job, int workers, Snapshot snapshot) {
        BatchScaling.Choice batch =
                scaleBatch
                        ? batches.next(job, workers)
                        : new BatchScaling.Choice(
                                job.localBatch(), "batch " + job.localBatch() + " is fixed");
        String why =
                workers == 0
                        ? "waits: its minimum of %d workers does not fit beside the minima of the jobs before it"
                                .formatted(need(job))
                        : why(job, workers, snapshot) + "; " + batch.why();
        return new Decision(
                job.id(),
                workers,
                batch.localBatch(),
                rates.of(job.spec(), workers, batch.localBatch()),
                why);
    }

    private String why(JobView job, int workers, Snapshot snapshot) {
        Throughput model =
                efficiency == Efficiency.CURVE ? Throughput.curve(job) : Throughput.linear(job);
        String change =
                job.workers() == workers
                        ? "keeps " + workers
                        : (job.running() ? "from " + job.workers() + " to " : "starts with ")
                                + workers;
        return String.format(
                Locale.ROOT,
                "%s workers (%d to %d allowed): efficiency %.2f at %d workers, penalty %.2f",
                change,
                job.least(),
                job.most(),
                model.efficiency(job.workers()),
                Math.max(1, job.workers()),
                penalty(job, snapshot));
    }
}
