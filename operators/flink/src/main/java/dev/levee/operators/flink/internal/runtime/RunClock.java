package dev.levee.operators.flink.internal.runtime;

import java.time.Instant;
import java.util.function.LongSupplier;

/** Wall-clock microseconds, which processes of one machine share. */
public final class RunClock implements LongSupplier {
    public static final RunClock INSTANCE = new RunClock();

    @Override
    public long getAsLong() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }
}
