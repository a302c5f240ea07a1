package dev.levee.operators.rounds.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import dev.levee.operators.rounds.transfer.ReplicaBound.Due;

import org.junit.jupiter.api.Test;

import java.util.SplittableRandom;

class ReplicaBoundTest {
    private static final int DIMENSION = 4;

    /** A server's model and momentum, in doubles. */
    private static final class Server {
        private final double[] model = new double[DIMENSION];
        private final double[] momentum = new double[DIMENSION];

        /** A step along an update, or along nothing. */
        void step(double[] update, double learningRate, double factor) {
            for (int i = 0; i < DIMENSION; i++) {
                momentum[i] = factor * momentum[i] + (update == null ? 0 : update[i]);
                model[i] -= learningRate * momentum[i];
            }
        }

        void copy(Server other) {
            System.arraycopy(other.model, 0, model, 0, DIMENSION);
            System.arraycopy(other.momentum, 0, momentum, 0, DIMENSION);
        }

        double distance(Server other) {
            double sum = 0;
            for (int i = 0; i < DIMENSION; i++) {
                sum += (model[i] - other.model[i]) * (model[i] - other.model[i]);
            }
            return Math.sqrt(sum);
        }
    }

    private static double norm(double[] update) {
        double sum = 0;
        for (double each : update) {
            sum += each * each;
        }
        return Math.sqrt(sum);
    }

    @Test
    void sendsWhatIsOutstandingBeforeTheDistanceIsExceeded() {
        ReplicaBound bound = new ReplicaBound(1, 0.5, 0);
        // Half of each norm: 0.5, 0.9, then 1.3 without a bound.
        assertThat(bound.applying(1)).isEqualTo(Due.NOTHING);
        assertThat(bound.applying(0.8)).isEqualTo(Due.NOTHING);
        assertThat(bound.distance()).isCloseTo(0.9, within(1e-12));
        assertThat(bound.behind()).isEqualTo(2);
        assertThat(bound.applying(0.8)).isEqualTo(Due.STATE);
        assertThat(bound.distance()).isZero();
        assertThat(bound.behind()).isZero();
    }

    @Test
    void momentumCarriesAnUpdateOn() {
        ReplicaBound bound = new ReplicaBound(2, 1, 0.5);
        assertThat(bound.applying(1)).isEqualTo(Due.NOTHING);
        assertThat(bound.distance()).isEqualTo(1);
        assertThat(bound.applying(0)).isEqualTo(Due.NOTHING);
        // 1 + 1/2, then 1 + 1/2 + 1/4 and an update of 0.2: 1.95; then 1.875 + 0.3 + 0.1.
        assertThat(bound.distance()).isEqualTo(1.5);
        assertThat(bound.applying(0.2)).isEqualTo(Due.NOTHING);
        assertThat(bound.distance()).isCloseTo(1.95, within(1e-12));
        assertThat(bound.applying(0.1)).isEqualTo(Due.STATE);
    }

    @Test
    void aBoundOfNothingSendsAllAndOneOfInfinityNone() {
        ReplicaBound full = new ReplicaBound(0, 0.1, 0.9);
        ReplicaBound none = new ReplicaBound(Double.POSITIVE_INFINITY, 0.1, 0.9);
        for (long version = 0; version < 5; version++) {
            assertThat(full.applying(1)).isEqualTo(Due.UPDATE);
            assertThat(none.applying(1)).isEqualTo(Due.NOTHING);
        }
        assertThat(none.applying(Double.NaN)).isEqualTo(Due.STATE);
        assertThat(none.applying(1)).isEqualTo(Due.NOTHING);
    }

    @Test
    void boundsThatMeanNothingAreRefused() {
        assertThatThrownBy(() -> new ReplicaBound(-1, 0.1, 0))
                .hasMessage("a distance must be at least 0, got -1.0");
        assertThatThrownBy(() -> new ReplicaBound(1, 0.1, 1))
                .hasMessage(
                        "a replica needs a learning rate above 0 and a momentum from 0 to below 1,"
                                + " got 0.1 and 1.0");
    }

    /** 10,000 series of updates; a primary that is killed is at most so far from its replica. */
    @Test
    void theDistanceIsNeverExceeded() {
        int states = 0;
        for (long seed = 0; seed < 10_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double rate = 0.01 + random.nextDouble();
            double factor = random.nextInt(3) == 0 ? 0 : 0.99 * random.nextDouble();
            double distance = random.nextInt(10) == 0 ? 0 : 5 * random.nextDouble();
            ReplicaBound bound = new ReplicaBound(distance, rate, factor);
            Server primary = new Server();
            Server replica = new Server();
            int killed = random.nextInt(1, 60);
            for (int version = 0; version < killed; version++) {
                double scale = Math.pow(10, random.nextDouble(-3, 1));
                double[] update = new double[DIMENSION];
                for (int i = 0; i < DIMENSION; i++) {
                    update[i] = scale * random.nextGaussian();
                }
                Due due = bound.applying(norm(update));
                primary.step(update, rate, factor);
                replica.step(due == Due.UPDATE ? update : null, rate, factor);
                if (due == Due.STATE) {
                    replica.copy(primary);
                    states++;
                }
                double far = primary.distance(replica);
                if (far > bound.distance() + 1e-9 || bound.distance() > distance + 1e-9) {
                    fail("seed %d, version %d: %g of %g", seed, version, far, distance);
                }
            }
        }
        assertThat(states).isPositive();
    }
}
