package dev.levee.benchmarks.siege;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A siege, which takes minutes of processor time, so only on request: {@code -Dsiege.minutes=10},
 * and {@code -Dsiege.seed=5} for another one.
 */
@Tag("cluster")
@Timeout(value = 24, unit = TimeUnit.MINUTES)
class SiegeTest {
    @TempDir Path directory;

    @Test
    void whateverHappensEveryRunEndsWithTheBitsOfOneThatNobodyDisturbed() throws Exception {
        long seed = Long.getLong("siege.seed", 23);
        String minutes = System.getProperty("siege.minutes");
        assumeThat(minutes).as("a request: siege.minutes is not set").isNotNull();
        FaultSchedule schedule =
                FaultSchedule.of(
                        seed, Duration.ofMillis(Math.round(Double.parseDouble(minutes) * 60_000)));
        assertThat(new SiegeRun(schedule, System.out).hold(directory))
                .as(schedule.toString())
                .isEmpty();
    }
}
