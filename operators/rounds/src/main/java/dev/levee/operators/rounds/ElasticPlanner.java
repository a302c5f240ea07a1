package dev.levee.operators.rounds;

/**
 * Plans an elastic run: settings follow from the round before, the subtasks it runs on and the
 * control in force. Progress is counted in samples, so its schedule, its evaluations and its end
 * come where they would have come without a change.
 */
final class ElasticPlanner implements Planner {
    private final Training training;
    private final Elasticity bounds;
    private int subtasks;
    private Control control;
    private Control pending;
    private int failedBatch;

    ElasticPlanner(Training training, Elasticity bounds, PlanState state) {
        this.training = training;
        this.bounds = bounds;
        this.subtasks = training.workers();
        double[] values = state.values();
        if (values.length > 0) {
            failedBatch = (int) values[0];
            control = control(values, 1);
            pending = control(values, 1 + CONTROL_VALUES);
        }
    }

    private static final int CONTROL_VALUES = 5;

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

    /** A timestamp of 0, which no control has, stands for none. */
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
        double[] values = new double[1 + 2 * CONTROL_VALUES];
        values[0] = failedBatch;
        write(control, values, 1);
        write(pending, values, 1 + CONTROL_VALUES);
        return new PlanState(values);
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
    public void computed(Effort effort, Settings open) {
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
        double scheduled = training.step().learningRate().at(nominalRounds(open.samples()));
        return new Standing(
                scheduled == 0 ? Double.NaN : open.learningRate() / scheduled,
                failedBatch,
                bounds.workerMemory(),
                control == null ? 0 : control.timestamp());
    }

    @Override
    public Settings next(Settings before, long round) {
        if (pending != null && pending.fromRound() <= round) {
            control = pending;
            pending = null;
        }
        long done = before.samples() + (long) before.workers() * before.batchSize();
        long total = training.rounds() * nominal();
        boolean stop = done >= total;
        int workers = workers();
        int batch = batch(workers);
        if (!stop) {
            // The last round takes what is left.
            batch = (int) Math.min(batch, (total - done + workers - 1) / workers);
        }
        return new Settings(
                Cohort.first(workers),
                training.byzantine(),
                workers,
                batch,
                stop ? 0 : rate(done, (long) workers * batch),
                stop,
                stop || evaluations(done) > evaluations(before.samples()),
                done,
                stop ? null : training.admission().deadline());
    }

    /** Samples of a round as the run starts. */
    private long nominal() {
        return (long) training.workers() * training.data().batchSize();
    }

    /** Rounds that so many samples would have taken without a change. */
    private long nominalRounds(long samples) {
        return samples / nominal();
    }

    private long evaluations(long samples) {
        return nominalRounds(samples) / training.evalInterval();
    }

    private int workers() {
        long byBatch = bounds.maxBatch() / training.data().batchSize();
        long most = Math.min(bounds.maxWorkers(), byBatch);
        return (int) Math.max(bounds.minWorkers(), Math.min(subtasks, most));
    }

    private int batch(int workers) {
        long batch = control == null ? training.data().batchSize() : control.batchSize();
        if (failedBatch > 0) {
            batch = Math.min(batch, failedBatch / 2);
        }
        batch = Math.min(batch, bounds.maxBatch() / workers);
        return (int) Math.max(batch, training.data().batchSize());
    }

    private double rate(long done, long batch) {
        double scheduled = training.step().learningRate().at(nominalRounds(done));
        if (control == null) {
            return scheduled * batch / nominal();
        }
        double chosenFor = (double) control.workers() * control.batchSize();
        return scheduled * (control.learningRate() / bounds.learningRate()) * (batch / chosenFor);
    }
}
