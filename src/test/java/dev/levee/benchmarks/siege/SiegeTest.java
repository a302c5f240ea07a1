package dev.levee.benchmarks.siege;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A short siege; {@code -Dsiege.minutes=10} makes it a long one, {@code -Dsiege.seed=5} another.
 */
@Tag("cluster")
@Timeout(value = 24, unit = TimeUnit.MINUTES)
class SiegeTest {
    @TempDir Path directory;

    @Test
    void whateverHappensEveryRunEndsWithTheBitsOfOneThatNobodyDisturbed() throws Exception {
        long seed = Long.getLong("siege.seed", 23);
        double minutes = Double.parseDouble(System.getProperty("siege.minutes", "0.15"));
        Schedule schedule = Schedule.of(seed, Duration.ofMillis(Math.round(minutes * 60_000)));
        assertThat(new SiegeRun(schedule, System.out).hold(directory))
                .as(schedule.toString())
                .isEmpty();
    }
}
