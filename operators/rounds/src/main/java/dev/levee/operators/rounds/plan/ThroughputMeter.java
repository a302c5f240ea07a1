package dev.levee.operators.rounds.plan;

import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.Settings;

/**
 * Measures the rate of rounds with one number of workers and one batch. Starts again when either
 * changes, and from time to time, so that the rate is recent.
 */
final class ThroughputMeter {
    private static final int FEWEST_ROUNDS = 3;
    private static final long LONGEST_MICROS = 60_000_000;

    private int workers;
    private int batch;
    private int rounds;
    private long since;
    private long samples;
    private long nanos;
    private int efforts;
    private double samplesPerSecond = Double.NaN;
    private double computeUtilisation = Double.NaN;
    private long bytes;

    /** Records a computed gradient. */
    void computed(GradientCost effort) {
        nanos += effort.nanos();
        efforts++;
        bytes = Math.max(bytes, effort.bytes());
    }

    /**
     * Records that a round with these settings was decided.
     *
     * @param now microseconds of a clock that never goes back
     */
    void decided(Settings settings, long now) {
        if (settings.workers() != workers || settings.batchSize() != batch) {
            workers = settings.workers();
            batch = settings.batchSize();
            samplesPerSecond = Double.NaN;
            computeUtilisation = Double.NaN;
            bytes = 0;
            // Rounds with other settings and the first round with the new ones do not count.
            begin(now);
            return;
        }
        rounds++;
        samples += (long) workers * batch;
        long elapsed = now - since;
        if (rounds >= FEWEST_ROUNDS && elapsed > 0) {
            samplesPerSecond = samples * 1e6 / elapsed;
            // Attackers that forge their rows take part but compute nothing.
            double computing = efforts / (double) rounds;
            computeUtilisation = Math.min(1, nanos / 1e3 / computing / elapsed);
            if (elapsed >= LONGEST_MICROS) {
                begin(now);
            }
        }
    }

    private void begin(long now) {
        rounds = 0;
        since = now;
        samples = 0;
        nanos = 0;
        efforts = 0;
    }

    double samplesPerSecond() {
        return samplesPerSecond;
    }

    double computeUtilisation() {
        return computeUtilisation;
    }

    /** Most memory that a gradient took. */
    long bytes() {
        return bytes;
    }
}
