package dev.levee.operators.testing.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Draws;
import dev.levee.operators.testing.network.AsynchronousRun.Outcome;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AsynchronousRunTest {
    private static final int BOUND = 20;

    /** Twenty workers, of whom two are ten times as slow for 20 seconds, and links of 1 s. */
    private static Setting setting(long seed) {
        return new Setting(20, 1, 1_000_000, 1e6, 0.1, 10, 20, seed);
    }

    /** ½‖x‖² with noise. */
    private static final class Bowl implements Problem {
        @Override
        public float[] initial() {
            return new float[] {1, -1, 2, -2};
        }

        @Override
        public float[] gradient(float[] model, int worker, long draw) {
            float[] gradient = model.clone();
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] += 0.1f * (float) Draws.normal(Draws.key(7, worker, draw), i);
            }
            return gradient;
        }

        @Override
        public double loss(float[] model) {
            double sum = 0;
            for (float each : model) {
                sum += each * each;
            }
            return sum;
        }
    }

    private static Outcome run(Transfers transfers, long seed) {
        return new AsynchronousRun(setting(seed), transfers, new Bowl(), BOUND, 0.02)
                .run(0.01, 10_000);
    }

    @ParameterizedTest
    @EnumSource(Transfers.class)
    void everyWayOfTravelingTrainsAndKeepsItsBound(Transfers transfers) {
        for (long seed = 1; seed <= 5; seed++) {
            Outcome outcome = run(transfers, seed);
            assertThat(outcome.seconds()).isFinite();
            assertThat(outcome).isEqualTo(run(transfers, seed));
            if (transfers != Transfers.UNORDERED) {
                assertThat(outcome.largestDelay()).isLessThanOrEqualTo(BOUND);
            }
            if (transfers.ordered()) {
                assertThat(outcome.wasted()).isZero();
            }
            if (transfers == Transfers.SUMMED) {
                assertThat(outcome.megabytes()).isLessThan(0.6 * outcome.applied());
            }
        }
    }
}
