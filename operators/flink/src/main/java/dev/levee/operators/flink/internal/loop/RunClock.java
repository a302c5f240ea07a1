package dev.levee.operators.flink.internal.loop;

import java.time.Instant;
import java.util.function.LongSupplier;

/** The clocks of a loop, in microseconds. */
public final class RunClock {
    private static final long STARTED = System.nanoTime();

    /**
     * Time since the epoch. It is the same in all processes of a machine, but may jump when it is
     * set.
     */
    public static final LongSupplier WALL = RunClock::wall;

    /** Time since the first use in this process; never goes back. */
    public static final LongSupplier MONOTONIC = () -> (System.nanoTime() - STARTED) / 1000;

    private RunClock() {}

    private static long wall() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }
}
