package dev.levee.operators.rounds;

/**
 * Which settings the rounds of a run have. Those of a run that stays as it starts follow from the
 * round alone. Those of an elastic one follow from the round before, the subtasks it runs on and
 * the control in force; its progress is counted in samples, so its schedule, its evaluations and
 * its end come where they would have come without a change.
 */
final class Course {
    private final Training training;
    private final Elasticity bounds;

    Course(Training training) {
        this.training = training;
        this.bounds = training.elasticity();
    }

    /**
     * Settings of the round after {@code before}.
     *
     * @param round number of the round they are for
     * @param subtasks parallelism of the job
     * @param control the control in force, null for none
     * @param failedBatch smallest local batch that took too much memory, 0 for none
     */
    Settings next(Settings before, long round, int subtasks, Control control, int failedBatch) {
        if (bounds == null) {
            return Settings.of(training, round);
        }
        long done = before.samples() + (long) before.workers() * before.batchSize();
        long total = training.rounds() * nominal();
        boolean stop = done >= total;
        int workers = workers(subtasks);
        int batch = batch(workers, control, failedBatch);
        if (!stop) {
            // The last round takes what is left.
            batch = (int) Math.min(batch, (total - done + workers - 1) / workers);
        }
        return new Settings(
                workers,
                training.byzantine(),
                workers,
                batch,
                stop ? 0 : rate(done, (long) workers * batch, control),
                stop,
                stop || evaluations(done) > evaluations(before.samples()),
                done);
    }

    /** How many times the schedule's step size the settings have; NaN if that is zero. */
    double scale(Settings settings) {
        double scheduled = training.learningRate().at(nominalRounds(settings.samples()));
        return scheduled == 0 ? Double.NaN : settings.learningRate() / scheduled;
    }

    /** Samples of a round as the run starts. */
    private long nominal() {
        return (long) training.workers() * training.batchSize();
    }

    /** Rounds that so many samples would have taken without a change. */
    private long nominalRounds(long samples) {
        return samples / nominal();
    }

    private long evaluations(long samples) {
        return nominalRounds(samples) / training.evalInterval();
    }

    private int workers(int subtasks) {
        long byBatch = bounds.maxBatch() / training.batchSize();
        long most = Math.min(bounds.maxWorkers(), byBatch);
        return (int) Math.max(bounds.minWorkers(), Math.min(subtasks, most));
    }

    private int batch(int workers, Control control, int failedBatch) {
        long batch = control == null ? training.batchSize() : control.batchSize();
        if (failedBatch > 0) {
            batch = Math.min(batch, failedBatch / 2);
        }
        batch = Math.min(batch, bounds.maxBatch() / workers);
        return (int) Math.max(batch, training.batchSize());
    }

    private double rate(long done, long batch, Control control) {
        double scheduled = training.learningRate().at(nominalRounds(done));
        if (control == null) {
            return scheduled * batch / nominal();
        }
        double chosenFor = (double) control.workers() * control.batchSize();
        return scheduled * (control.learningRate() / bounds.learningRate()) * (batch / chosenFor);
    }
}
