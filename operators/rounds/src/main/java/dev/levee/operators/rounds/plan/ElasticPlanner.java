package dev.levee.operators.rounds.plan;

import dev.levee.gar.LookResult;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Plans an elastic run: settings follow from the previous round, the job's subtasks, the current
 * control and the gradient's noise. Progress is counted in rounds at the initial batch size, so the
 * schedule, evaluations and the end occur at the same progress as in a run without changes.
 */
final class ElasticPlanner implements Planner {
    private final Training training;
    private final Elasticity bounds;
    private int subtasks;
    private Control control;
    private Control pending;
    private int failedBatch;

    /** Progress before the open round, and the gain of that round. */
    private double progress;

    private double gain = 1;

    private final RuleEfficiency efficiency;
    private final NoiseScale noise;

    /** Measurements of the last round's rows, by block, until all have arrived. */
    private final TreeMap<Integer, LookResult> spread = new TreeMap<>();

    ElasticPlanner(Training training, Elasticity bounds, PlanState state) {
        this.training = training;
        this.bounds = bounds;
        this.subtasks = training.workers();
        this.efficiency =
                new RuleEfficiency(
                        training.rule(), n -> Elasticity.quorum(training, n), training::byzantine);
        this.noise =
                new NoiseScale(training.work() instanceof GradientWork work ? work.momentum() : 0);
        double[] values = state.values();
        if (values.length > 0) {
            failedBatch = (int) values[0];
            control = control(values, 1);
            pending = control(values, 1 + CONTROL_VALUES);
            progress = values[OWN_VALUES - 2];
            gain = values[OWN_VALUES - 1];
            noise.restore(values, restoreSpread(values, OWN_VALUES));
        }
    }

    private static final int CONTROL_VALUES = 5;
    private static final int OWN_VALUES = 3 + 2 * CONTROL_VALUES;

    private static Control control(double[] values, int at) {
        return values[at] == 0
                ? null
                : new Control(
                        (long) values[at],
                        (int) values[at + 1],
                        (int) values[at + 2],
                        values[at + 3],
                        (long) values[at + 4]);
    }

    /** Writes a control; a timestamp of 0 means none. */
    private static void write(Control control, double[] values, int at) {
        if (control != null) {
            values[at] = control.timestamp();
            values[at + 1] = control.batchSize();
            values[at + 2] = control.workers();
            values[at + 3] = control.learningRate();
            values[at + 4] = control.fromRound();
        }
    }

    @Override
    public PlanState snapshot() {
        double[] looks = snapshotSpread();
        double[] estimate = noise.snapshot();
        int all = OWN_VALUES + looks.length + estimate.length;
        double[] values = Arrays.copyOf(new double[] {failedBatch}, all);
        write(control, values, 1);
        write(pending, values, 1 + CONTROL_VALUES);
        values[OWN_VALUES - 2] = progress;
        values[OWN_VALUES - 1] = gain;
        System.arraycopy(looks, 0, values, OWN_VALUES, looks.length);
        System.arraycopy(estimate, 0, values, OWN_VALUES + looks.length, estimate.length);
        return new PlanState(values);
    }

    /**
     * The number of blocks; then for each its index, its number of rows, distances and products.
     */
    private double[] snapshotSpread() {
        int length = 1;
        for (LookResult each : spread.values()) {
            length += 2 + 2 * each.squaredDistances().length;
        }
        double[] values = new double[length];
        int next = 0;
        values[next++] = spread.size();
        for (Map.Entry<Integer, LookResult> each : spread.entrySet()) {
            double[] distances = each.getValue().squaredDistances();
            values[next++] = each.getKey();
            values[next++] = each.getValue().points();
            System.arraycopy(distances, 0, values, next, distances.length);
            next += distances.length;
            System.arraycopy(each.getValue().innerProducts(), 0, values, next, distances.length);
            next += distances.length;
        }
        return values;
    }

    /** Reads these numbers from an index on; returns the index after them. */
    private int restoreSpread(double[] values, int at) {
        int next = at;
        for (int left = (int) values[next++]; left > 0; left--) {
            int block = (int) values[next++];
            int points = (int) values[next++];
            int pairs = LookResult.pairs(points);
            double[] distances = Arrays.copyOfRange(values, next, next + pairs);
            double[] products = Arrays.copyOfRange(values, next + pairs, next + 2 * pairs);
            spread.put(block, new LookResult(points, distances, products));
            next += 2 * pairs;
        }
        return next;
    }

    @Override
    public void spread(int block, LookResult seen) {
        spread.put(block, seen);
    }

    @Override
    public void applied(RoundReport report) {
        if (!spread.isEmpty() && training.work() instanceof GradientWork) {
            LookResult all = LookResult.sum(spread.values().toArray(new LookResult[0]));
            noise.add(report.round(), report.rows(), report.batchSize(), all);
        }
        spread.clear();
    }

    @Override
    public void runsOn(int count) {
        subtasks = count;
    }

    @Override
    public boolean control(Control next) {
        Control newest = pending == null ? control : pending;
        boolean newer = newest == null || next.timestamp() > newest.timestamp();
        if (newer) {
            pending = next;
        }
        return newer;
    }

    @Override
    public void computed(GradientCost effort, Settings open) {
        boolean tooMuch =
                effort.samples() < open.batchSize()
                        || bounds.workerMemory() > 0 && effort.bytes() > bounds.workerMemory();
        if (tooMuch) {
            failedBatch =
                    failedBatch == 0 ? open.batchSize() : Math.min(failedBatch, open.batchSize());
        }
    }

    @Override
    public Standing standing(Settings open) {
        double scheduled = training.step().learningRate().at(whole(progress));
        return new Standing(
                scheduled == 0 ? Double.NaN : open.learningRate() / scheduled,
                failedBatch,
                bounds.workerMemory(),
                control == null ? 0 : control.timestamp(),
                new Progress(progress, gain, noise.value(), averagedRows(open.workers())));
    }

    /** A gradient code decodes the mean of all shares. */
    private double averagedRows(int workers) {
        return training.work().steps() > 1 ? workers : efficiency.rows(workers);
    }

    @Override
    public Settings next(Settings before, long round) {
        if (pending != null && pending.fromRound() <= round) {
            control = pending;
            pending = null;
        }
        double made = progress;
        long samples = before.samples() + (long) before.workers() * before.batchSize();
        progress = countsSamples() ? (double) samples / nominal() : progress + gain;
        boolean stop = progress >= training.rounds();
        int workers = workers();
        int batch = batch(workers);
        if (!stop) {
            // The last round takes the remaining samples.
            batch = (int) Math.min(batch, left(samples, workers));
        }
        gain = bounds.scaling().gain(averaged(workers, batch), reference(), noise.value());
        return new Settings(
                Cohort.first(workers),
                training.byzantine(workers),
                Elasticity.quorum(training, workers),
                batch,
                stop ? 0 : rate(workers, batch),
                stop,
                stop || evaluations(progress) > evaluations(made),
                samples,
                stop ? null : training.admission().deadline());
    }

    private boolean countsSamples() {
        return bounds.scaling() != BatchScaling.ADASCALE;
    }

    /** Samples of a round at the start of the run. */
    private long nominal() {
        return (long) training.workers() * training.data().batchSize();
    }

    /** Samples that the aggregate of a round with these workers and this batch averages. */
    private double averaged(int workers, int batch) {
        return countsSamples() ? (double) workers * batch : efficiency.rows(workers) * batch;
    }

    private double reference() {
        return averaged(training.workers(), training.data().batchSize());
    }

    /** The local batch that makes the next round the last. */
    private long left(long samples, int workers) {
        if (countsSamples()) {
            long total = training.rounds() * nominal();
            return (total - samples + workers - 1) / workers;
        }
        double missing = training.rounds() - progress;
        double batch = bounds.scaling().batch(missing, reference(), noise.value());
        return (long) Math.max(1, Math.ceil(batch / averaged(workers, 1)));
    }

    /** Number of whole rounds in this progress. */
    private static long whole(double rounds) {
        return (long) Math.floor(rounds);
    }

    private long evaluations(double rounds) {
        return whole(rounds) / training.evalInterval();
    }

    private int workers() {
        long byBatch = bounds.maxBatch() / leastBatch();
        long most = Math.min(bounds.maxWorkers(), byBatch);
        return training.work()
                .cohort((int) Math.max(bounds.minWorkers(), Math.min(subtasks, most)));
    }

    /** The smallest batch; if progress is proportional to samples, batches never shrink. */
    private int leastBatch() {
        return countsSamples() ? training.data().batchSize() : 1;
    }

    private int batch(int workers) {
        long batch = control == null ? training.data().batchSize() : control.batchSize();
        if (!countsSamples()) {
            // The limit applies to the whole round: with fewer workers, each takes more.
            batch = Math.max(batch, control == null ? 1 : (nominal() + workers - 1) / workers);
        }
        if (failedBatch > 0) {
            batch = Math.min(batch, failedBatch / 2);
        }
        batch = Math.min(batch, bounds.maxBatch() / workers);
        return (int) Math.max(batch, leastBatch());
    }

    private double rate(int workers, int batch) {
        double scheduled = training.step().learningRate().at(whole(progress));
        if (bounds.scaling() != BatchScaling.LINEAR) {
            boolean adaptive = training.step().optimizer().adaptive();
            double averaged = averaged(workers, batch);
            return scheduled
                    * bounds.scaling().rate(averaged, reference(), noise.value(), adaptive);
        }
        double global = (double) workers * batch;
        if (control == null) {
            return scheduled * global / nominal();
        }
        double chosenFor = (double) control.workers() * control.batchSize();
        return scheduled * (control.learningRate() / bounds.learningRate()) * (global / chosenFor);
    }
}
