package dev.levee.k8s.allocator.internal;

import static dev.levee.k8s.allocator.Jobs.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Jobs;
import dev.levee.k8s.allocator.Measurement;

import org.junit.jupiter.api.Test;

import java.util.Random;

class ThroughputTest {
    private static final JobSpec SPEC = Jobs.spec("a", 0, 1, 2, 16);

    @Test
    void withoutMeasurementsScalingIsPerfect() {
        Throughput model = Throughput.linear(Jobs.view(SPEC, 0));
        assertThat(model.efficiency(0)).isEqualTo(1);
        assertThat(model.efficiency(16)).isEqualTo(1);
    }

    @Test
    void oneMeasurementIsExtendedInProportion() {
        Throughput model = Throughput.linear(Jobs.view(SPEC, 2, measured(2, 30)));
        assertThat(model.at(4)).isEqualTo(60);
        assertThat(model.efficiency(4)).isEqualTo(1);
    }

    @Test
    void twoMeasurementsMakeALine() {
        // t = 10 + 10·n: 20 with one worker, 90 with eight.
        Throughput model = Throughput.linear(Jobs.view(SPEC, 4, measured(2, 30), measured(4, 50)));
        assertThat(model.at(1)).isCloseTo(20, within(1e-9));
        assertThat(model.efficiency(4)).isCloseTo(50.0 / 80, within(1e-9));
        assertThat(model.efficiency(0)).isCloseTo(1, within(1e-9));
    }

    @Test
    void aChangedBatchIsAVariableOfItsOwn() {
        // t = 5 + 10·n + 0.25·globalBatch
        Throughput model =
                Throughput.linear(
                        Jobs.view(
                                SPEC,
                                4,
                                32,
                                measured(2, 16, 33, 0.9, 0.5),
                                measured(4, 16, 61, 0.9, 0.5),
                                measured(4, 32, 77, 0.9, 0.5)));
        assertThat(model.at(4)).isCloseTo(77, within(1e-9));
        assertThat(model.at(2)).isCloseTo(41, within(1e-9));
    }

    @Test
    void theFreshestMeasurementOfAGlobalBatchCounts() {
        Throughput model =
                Throughput.linear(
                        Jobs.view(
                                SPEC,
                                4,
                                measured(2, 16, 999, 0.9, 0.5),
                                measured(4, 16, 50, 0.9, 0.5),
                                measured(2, 16, 30, 0.9, 0.5)));
        assertThat(model.at(1)).isCloseTo(20, within(1e-9));
    }

    @Test
    void aLineThroughNoiseStaysAboveZero() {
        Throughput model = Throughput.linear(Jobs.view(SPEC, 3, measured(2, 10), measured(3, 40)));
        assertThat(model.at(1)).isEqualTo(2.5); // half of the least measured per worker
        assertThat(model.efficiency(3)).isBetween(0.0, 6.0);
    }

    @Test
    void theCurveFindsOverheadComputationAndSynchronisation() {
        // A round takes 0.4 + 0.01·16 + 0.02·(n − 1) seconds.
        Throughput model =
                RoundTime.asMeasured(
                        Jobs.view(
                                SPEC,
                                4,
                                measured(1, 16 / 0.56),
                                measured(2, 32 / 0.58),
                                measured(4, 64 / 0.62)));
        assertThat(model.at(8)).isCloseTo(128 / 0.70, within(1e-6));
        assertThat(RoundTime.asMeasured(Jobs.view(SPEC, 2, measured(2, 30))).at(4))
                .isCloseTo(60, within(1e-9));
    }

    @Test
    void whatACurvePromisesNeverGrowsWithWorkers() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Measurement[] history = new Measurement[1 + random.nextInt(5)];
            for (int i = 0; i < history.length; i++) {
                int batch = 16 << random.nextInt(3);
                history[i] =
                        measured(
                                1 + random.nextInt(16),
                                batch,
                                1 + 100 * random.nextDouble(),
                                0.5,
                                0.5);
            }
            RoundTime curve = RoundTime.asMeasured(Jobs.view(SPEC, 4, 32, history));
            double before = 1;
            for (int n = 2; n <= 64; n++) {
                double gain = 1 - curve.at(n - 1) / curve.at(n);
                assertThat(gain).as("seed %d, n = %d", seed, n).isBetween(-1e-12, before + 1e-12);
                before = gain;
            }
        }
    }
}
