package dev.levee.k8s.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Jobs;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.allocator.SlotSpeeds;

import org.junit.jupiter.api.Test;

import java.util.List;

class LearnedSpeedsTest {
    private static final SlotSpeeds SQUARED = speed -> speed * speed;

    /**
     * One worker, whose pass takes (0.2 + 0.01·m) / v seconds and whose round half a second more.
     */
    private static Measurement measured(double speed, double own, int batch) {
        double pass = (0.2 + 0.01 * batch) / own;
        double round = pass + 0.5;
        return new Measurement(Jobs.NOW, 1, batch, batch / round, pass / round, 0.5, speed, 1, 1);
    }

    private static SlotSpeeds learned(SlotSpeeds declared, Measurement... history) {
        JobSpec plain = Jobs.spec("a", 0, 1, 1, 16);
        JobSpec spec =
                new JobSpec(
                        plain.id(),
                        plain.submitted(),
                        plain.bounds(),
                        plain.batches(),
                        true,
                        declared);
        JobMemory memory = new JobMemory(List.of(history), 0, Integer.MAX_VALUE, 0, Jobs.NOW, 1);
        return LearnedSpeeds.of(
                new JobView(
                        spec,
                        1,
                        Integer.MAX_VALUE,
                        16,
                        memory,
                        Double.NaN,
                        Double.NaN,
                        Progress.UNKNOWN));
    }

    @Test
    void countsAsDeclaredUntilItHasRunOnTwoClasses() {
        assertThat(learned(SQUARED, measured(0.5, 0.25, 16))).isSameAs(SQUARED);
        assertThat(learned(SlotSpeeds.NOMINAL)).isSameAs(SlotSpeeds.NOMINAL);
    }

    @Test
    void passesOfTheSameSizeTellTheRatioAtOnce() {
        SlotSpeeds speeds = learned(SlotSpeeds.NOMINAL, measured(1, 1, 16), measured(0.5, 0.2, 16));
        assertThat(speeds.of(0.5) / speeds.of(1)).isCloseTo(0.2, within(1e-9));
        // One that was not measured keeps its declared ratio to the nearest that was.
        assertThat(speeds.of(0.4) / speeds.of(0.5)).isCloseTo(0.8, within(1e-9));
        assertThat(speeds.of(2) / speeds.of(1)).isCloseTo(2, within(1e-9));
    }

    @Test
    void passesOfSeveralSizesTellLineAndRatio() {
        SlotSpeeds speeds =
                learned(
                        SlotSpeeds.NOMINAL,
                        measured(1, 1, 16),
                        measured(1, 1, 64),
                        measured(0.5, 0.2, 32),
                        measured(0.5, 0.2, 128));
        assertThat(speeds.of(0.5) / speeds.of(1)).isCloseTo(0.2, within(0.02));
    }

    @Test
    void whatIsDeclaredAndTrueStays() {
        SlotSpeeds speeds =
                learned(SQUARED, measured(1, 1, 16), measured(1, 1, 64), measured(0.5, 0.25, 32));
        assertThat(speeds.of(0.5) / speeds.of(1)).isCloseTo(0.25, within(1e-9));
    }
}
