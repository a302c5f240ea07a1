package dev.levee.operators.rounds.plan;

import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.Planner;

/** Measures the time between rounds, and the pause that a restart causes. */
public final class RoundRate {
    private final ThroughputMeter meter = new ThroughputMeter();
    private long decidedAt;
    private boolean restarted;
    private double pause = Double.NaN;

    /** Continues from the time at which the last round was decided, 0 if none was. */
    public RoundRate(long decidedAt) {
        this.decidedAt = decidedAt;
        this.restarted = decidedAt > 0;
    }

    /** When the last round was decided, microseconds since the epoch; 0 before. */
    public long decidedAt() {
        return decidedAt;
    }

    public void computed(GradientCost effort) {
        meter.computed(effort);
    }

    /**
     * Records that a round with these settings was decided.
     *
     * @param now microseconds since the epoch, which compare with those before a restart
     * @param monotonic microseconds of a clock that never goes back
     */
    public void decided(Settings settings, long now, long monotonic) {
        if (restarted) {
            pause = (now - decidedAt) / 1e6;
            restarted = false;
        }
        decidedAt = now;
        meter.decided(settings, monotonic);
    }

    public Performance performance(Settings settings, Planner.Standing standing) {
        long limit = standing.workerMemory();
        return new Performance(
                settings,
                standing.learningRateScale(),
                meter.samplesPerSecond(),
                meter.computeUtilisation(),
                limit == 0 || meter.bytes() == 0 ? Double.NaN : meter.bytes() / (double) limit,
                standing.failedBatch(),
                pause,
                standing.controlTimestamp(),
                standing.progress());
    }
}
