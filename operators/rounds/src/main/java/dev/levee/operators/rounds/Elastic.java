package dev.levee.operators.rounds;

/**
 * How the settings of a run change while it goes on, and what there is to know for changing them.
 */
final class Elastic {
    private final Training training;
    private final Course course;
    private final Meter meter = new Meter();
    private int subtasks;
    private Control control;
    private Control pending;
    private int failedBatch;
    private long decidedAt;
    private boolean restarted;
    private double pause = Double.NaN;

    Elastic(Training training, ElasticState state) {
        this.training = training;
        this.course = new Course(training);
        this.subtasks = training.workers();
        this.control = state.control();
        this.pending = state.pending();
        this.failedBatch = state.failedBatch();
        this.decidedAt = state.decidedAt();
        this.restarted = decidedAt > 0;
    }

    ElasticState snapshot() {
        return new ElasticState(control, pending, failedBatch, decidedAt);
    }

    /** The parallelism of the job from now on. */
    void runsOn(int count) {
        subtasks = count;
    }

    /** Takes a control; true if it is newer than all before. */
    boolean control(Control next) {
        Control newest = pending == null ? control : pending;
        boolean newer = newest == null || next.timestamp() > newest.timestamp();
        if (newer) {
            pending = next;
        }
        return newer;
    }

    /** A worker has computed a gradient. */
    void computed(ShardReport.Computed computed, long round, Settings settings) {
        Effort effort = computed.effort();
        meter.computed(effort);
        long limit = training.elasticity().workerMemory();
        boolean tooMuch =
                computed.round() == round && effort.samples() < settings.batchSize()
                        || limit > 0 && effort.bytes() > limit;
        if (tooMuch && computed.round() == round) {
            failedBatch =
                    failedBatch == 0
                            ? settings.batchSize()
                            : Math.min(failedBatch, settings.batchSize());
        }
    }

    /** A round has been decided: settings of the next one. */
    Settings next(Settings before, long round, long now) {
        if (restarted) {
            pause = (now - decidedAt) / 1e6;
            restarted = false;
        }
        decidedAt = now;
        meter.decided(before, now);
        if (pending != null && pending.fromRound() <= round) {
            control = pending;
            pending = null;
        }
        return course.next(before, round, subtasks, control, failedBatch);
    }

    Performance performance(Settings settings) {
        long limit = training.elasticity() == null ? 0 : training.elasticity().workerMemory();
        return new Performance(
                settings,
                course.scale(settings),
                meter.samplesPerSecond(),
                meter.computeUtilisation(),
                limit == 0 || meter.bytes() == 0 ? Double.NaN : meter.bytes() / (double) limit,
                failedBatch,
                pause,
                control == null ? 0 : control.timestamp());
    }
}
