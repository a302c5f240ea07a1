package dev.levee.k8s.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.policy.Policies;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

class MeasuredJobTest {
    private static final double EXACT = 1e-9;

    private static Measurement measured(int workers, int batch, double round, double compute) {
        return new Measurement(
                Instant.EPOCH, workers, batch, workers * batch / round, compute, Double.NaN);
    }

    private static MeasuredJob job(double noise, Measurement... history) {
        return new MeasuredJob(List.of(history), 32, 100, noise);
    }

    @Test
    void aConfigurationThatWasMeasuredTakesWhatItTook() {
        MeasuredJob job = job(Double.NaN, measured(1, 32, 0.4, 0.9), measured(2, 16, 0.3, 0.5));
        assertThat(job.pace(new int[] {1}, 32, 1).progressPerSecond())
                .isCloseTo(1 / 0.4, within(EXACT));
        assertThat(job.pace(new int[] {2}, 16, 1).samplesPerSecond())
                .isCloseTo(32 / 0.3, within(EXACT));
    }

    @Test
    void moreSamplesTakeMoreTimeForGradientsOnly() {
        Pace pace = job(1e12, measured(2, 16, 0.4, 0.5)).pace(new int[] {2}, 48, 1);
        assertThat(pace.samplesPerSecond()).isCloseTo(96 / (0.2 + 3 * 0.2), within(EXACT));
        assertThat(pace.progressPerSecond()).isCloseTo(3 / 0.8, within(1e-6));
    }

    @Test
    void aSimulatedJobTakesItsRoundsAndAPause() {
        JobSpec spec = new JobSpec("a", Instant.EPOCH, new JobBounds(1, 1, 1, 32, 32, 0.1));
        Workload load =
                new Workload(
                        "measured",
                        List.of(
                                new Submission(
                                        spec,
                                        spec,
                                        () -> job(Double.NaN, measured(1, 32, 0.4, 0.9)))));
        Outcome outcome =
                Simulation.run(
                        load,
                        Policies.named("static", 20),
                        new ClusterSize(1, 4),
                        new Timing(20, 20, 5),
                        point -> {});
        assertThat(outcome.averageJctSeconds()).isCloseTo(5 + 100 * 0.4, within(1e-6));
    }

    @Test
    void withoutAMeasurementThereIsNoJob() {
        assertThatThrownBy(() -> job(1)).hasMessage("a measured job needs a measurement");
    }
}
