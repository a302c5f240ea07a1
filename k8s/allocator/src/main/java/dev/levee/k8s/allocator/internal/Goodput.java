package dev.levee.k8s.allocator.internal;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.allocator.SlotSpeeds;

import java.util.List;

/**
 * Predicts a job's rate of progress at the best batch for a number of workers: the gain of a round
 * divided by its seconds (Qiao et al., "Pollux", OSDI 2021, eq. 6).
 */
public final class Goodput {
    private static final int BATCHES = 24;

    /** The exponent of n in the assumed rate of n workers, for a job that was never measured. */
    private static final double UNMEASURED_EXPONENT = 0.8;

    /**
     * Limits of plausible rates in rounds per second. Contradictory measurements can lead to a
     * meaningless model; its rates outside the limits count as the lower limit.
     */
    private static final double LEAST_RATE = 1e-12;

    private static final double MOST_RATE = 1e12;

    /**
     * The factor by which a batch that is limited by memory may exceed the largest measured batch.
     */
    private static final int LARGEST_STEP = 4;

    /** Maximum share of a worker's memory that a batch is predicted to take. */
    private static final double MEMORY = 0.9;

    /**
     * A batch and its goodput.
     *
     * @param rate rounds at the reference batch per second
     * @param localBatch samples per worker and round
     * @param passes number of passes in which a worker computes these samples
     */
    public record Choice(double rate, int localBatch, int passes) {}

    private final BatchRange range;
    private final long mostGlobal;
    private final Progress progress;
    private final StepModel model;
    private final int mostLocal;
    private final SlotSpeeds speeds;
    private final double fastest;

    /**
     * Creates the prediction from a job's stored measurements.
     *
     * @param fastest speed of the fastest class, to which other speeds are relative
     */
    public Goodput(JobView job, double fastest) {
        this.fastest = fastest;
        speeds = LearnedSpeeds.of(job);
        range = job.spec().batches();
        mostGlobal = job.spec().bounds().maxGlobalBatch();
        progress = job.progress();
        model = StepModel.fit(job.memory().history(), fastest, speeds);
        mostLocal = mostLocal(job);
    }

    /**
     * Speed of the job on a class of slots, relative to the fastest class.
     *
     * @param speed the speed of the class
     */
    public double relative(double speed) {
        return speeds.of(speed) / speeds.of(fastest);
    }

    /** True if there is a measurement. Otherwise rates are guesses and not in rounds per second. */
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
        long largest = job.spec().bounds().localBatch();
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

    /**
     * The best batch for a number of workers.
     *
     * @param nodes number of machines with these workers
     * @param speed relative speed of their slowest slot
     */
    public Choice best(int workers, int nodes, double speed) {
        double fits = range.accumulates() ? mostGlobal : (double) workers * mostLocal;
        double highest = Math.min(mostGlobal, fits);
        double lowest = Math.max(range.reference(), (double) range.leastLocal() * workers);
        lowest = Math.min(lowest, highest);
        if (model == null) {
            Choice first = choice(workers, nodes, speed, lowest);
            double guess = speed * StrictMath.pow(workers, UNMEASURED_EXPONENT);
            return new Choice(guess, first.localBatch(), first.passes());
        }
        double factor = StrictMath.pow(highest / lowest, 1.0 / (BATCHES - 1));
        double best = lowest;
        double most = rate(workers, nodes, speed, lowest);
        double batch = lowest;
        for (int i = 1; i < BATCHES && highest > lowest; i++) {
            batch = Math.min(highest, batch * factor);
            double rate = rate(workers, nodes, speed, batch);
            if (rate > most) {
                most = rate;
                best = batch;
            }
        }
        return choice(workers, nodes, speed, best);
    }

    private Choice choice(int workers, int nodes, double speed, double batch) {
        int passes = passes(workers, batch);
        int samples = samples(workers, batch, passes);
        double rate = model == null ? 1 : rate(workers, nodes, speed, batch);
        return new Choice(rate, samples * passes, passes);
    }

    /**
     * Rounds at the reference batch per second with a given batch. Requires a measurement.
     *
     * @param batch samples per round
     */
    double rate(int workers, int nodes, double speed, double batch) {
        int passes = passes(workers, batch);
        int samples = samples(workers, batch, passes);
        double gain = progress.gain((double) workers * passes * samples, range.reference());
        double rate = gain / model.round(workers, nodes, samples, passes, speed);
        return rate > LEAST_RATE && rate < MOST_RATE ? rate : LEAST_RATE;
    }

    /** Passes that a worker needs for its share of a batch. */
    private int passes(int workers, double batch) {
        if (!range.accumulates()) {
            return 1;
        }
        int passes = 1 + (local(workers, batch) - 1) / mostLocal;
        // A single worker measures the noise scale between two passes.
        return workers == 1 && batch > range.reference() ? Math.max(2, passes) : passes;
    }

    /** Number of samples per pass. */
    private int samples(int workers, double batch, int passes) {
        int samples = (local(workers, batch) + passes - 1) / passes;
        return (int) Math.max(1, Math.min(samples, mostGlobal / ((long) workers * passes)));
    }

    private static int local(int workers, double batch) {
        return (int) Math.ceil(batch / workers - 1e-6);
    }
}
