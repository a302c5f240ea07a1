package dev.levee.operators.rounds;

/**
 * Measures rounds of one number of workers and one batch. Starts anew when either changes, and now
 * and then, so that what it says is recent.
 */
final class Meter {
    /** The first round after a change loads, compiles and fills caches. */
    private static final int WARM_UP = 1;

    private static final int FEWEST_ROUNDS = 3;
    private static final long LONGEST_MICROS = 60_000_000;

    private int workers;
    private int batch;
    private int rounds;
    private long since;
    private long samples;
    private long nanos;
    private double samplesPerSecond;
    private double computeUtilisation;
    private long bytes;

    /** Forgets all: the process has changed. */
    void reset() {
        workers = 0;
    }

    /** A gradient has been computed. */
    void computed(Effort effort) {
        nanos += effort.nanos();
        bytes = Math.max(bytes, effort.bytes());
    }

    /** A round with these settings has been decided. */
    void decided(Settings settings, long now) {
        if (settings.workers() != workers || settings.batchSize() != batch) {
            workers = settings.workers();
            batch = settings.batchSize();
            samplesPerSecond = Double.NaN;
            computeUtilisation = Double.NaN;
            bytes = 0;
            begin(now, 1 - WARM_UP);
            return;
        }
        rounds++;
        if (rounds <= 0) {
            begin(now, 0);
            return;
        }
        samples += (long) workers * batch;
        long elapsed = now - since;
        if (rounds >= FEWEST_ROUNDS && elapsed > 0) {
            samplesPerSecond = samples * 1e6 / elapsed;
            computeUtilisation = Math.min(1, nanos / 1e3 / workers / elapsed);
            if (elapsed >= LONGEST_MICROS) {
                begin(now, 0);
            }
        }
    }

    private void begin(long now, int counted) {
        rounds = counted;
        since = now;
        samples = 0;
        nanos = 0;
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
