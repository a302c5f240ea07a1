package dev.levee.k8s.allocator.internal;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Progress;

import java.util.List;

/**
 * How fast a job makes progress with some workers at the batch that suits them best: the gain of a
 * round over its seconds (Qiao et al., "Pollux", OSDI 2021, eq. 6).
 */
public final class Goodput {
    private static final int BATCHES = 24;

    /** Of a job that was never measured: what n workers are worth is n to this power. */
    private static final double UNMEASURED_EXPONENT = 0.8;

    /** Where memory bounds the batch, it grows to at most so much of the largest measured. */
    private static final int LARGEST_STEP = 4;

    /** Share of a worker's memory that a batch may be predicted to take. */
    private static final double MEMORY = 0.9;

    /**
     * A batch and what it brings.
     *
     * @param rate rounds at the reference batch per second
     * @param localBatch samples per worker and round
     * @param passes in which a worker computes them
     */
    public record Choice(double rate, int localBatch, int passes) {}

    private final BatchRange range;
    private final long mostGlobal;
    private final Progress progress;
    private final StepModel model;
    private final int mostLocal;

    /** Of a job, from what is remembered of it. */
    public Goodput(JobView job) {
        range = job.spec().batches();
        mostGlobal = job.spec().maxGlobalBatch();
        progress = job.progress();
        model = StepModel.fit(job.memory().history());
        mostLocal = mostLocal(job);
    }

    /** True if there is a measurement, so that rates are rounds per second and no guess. */
    public boolean measured() {
        return model != null;
    }

    private static int mostLocal(JobView job) {
        BatchRange range = job.spec().batches();
        int known = Math.min(range.mostLocal(), job.memory().batchCeiling());
        if (range.accumulates()) {
            return known;
        }
        List<Measurement> history = job.memory().history();
        long largest = job.spec().localBatch();
        for (Measurement each : history) {
            largest = Math.max(largest, each.localBatch());
        }
        double most = Math.min(known, LARGEST_STEP * largest);
        if (!history.isEmpty()) {
            Measurement last = history.get(history.size() - 1);
            double full = MEMORY * last.localBatch() / last.memoryUtilisation();
            most = full > 0 ? Math.min(most, Math.max(last.localBatch(), full)) : most;
        }
        return (int) Math.max(range.leastLocal(), most);
    }

    /** The best batch of so many workers on so many nodes. */
    public Choice best(int workers, int nodes) {
        double most = range.accumulates() ? mostGlobal : (double) workers * mostLocal;
        double highest = Math.min(mostGlobal, most);
        double lowest = Math.max(range.reference(), (double) range.leastLocal() * workers);
        lowest = Math.min(lowest, highest);
        if (model == null) {
            Choice first = choice(workers, nodes, lowest);
            return new Choice(
                    StrictMath.pow(workers, UNMEASURED_EXPONENT),
                    first.localBatch(),
                    first.passes());
        }
        if (highest == lowest) {
            return choice(workers, nodes, lowest);
        }
        double factor = StrictMath.pow(highest / lowest, 1.0 / (BATCHES - 1));
        double batch = lowest;
        Choice best = null;
        for (int i = 0; i < BATCHES; i++) {
            Choice each = choice(workers, nodes, batch);
            best = best == null || each.rate() > best.rate() ? each : best;
            batch = Math.min(highest, batch * factor);
        }
        return best;
    }

    /** A global batch in whole samples of each pass. */
    private Choice choice(int workers, int nodes, double batch) {
        int local = (int) Math.ceil(batch / workers - 1e-6);
        int passes = 1;
        if (range.accumulates()) {
            passes = (int) Math.ceil((double) local / mostLocal);
            if (workers == 1 && batch > range.reference()) {
                passes = Math.max(2, passes); // one worker measures its noise between two passes
            }
        }
        int samples = (local + passes - 1) / passes;
        samples = (int) Math.max(1, Math.min(samples, mostGlobal / ((long) workers * passes)));
        double gain = progress.gain((double) workers * passes * samples, range.reference());
        double rate = model == null ? 1 : gain / model.round(workers, nodes, samples, passes);
        return new Choice(rate, samples * passes, passes);
    }
}
