package dev.levee.operators.rounds.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.SplittableRandom;

class WaitingTimesTest {
    private static final WaitingTimes TEN = new WaitingTimes(10, 1, 1);

    /** Figures of ten workers and μ = 1, worked by hand from the formulas of Lee et al. */
    @Test
    void tenWorkers() {
        assertThat(TEN.all()).isCloseTo(0.39290, within(5e-6));
        assertThat(TEN.product(5)).isCloseTo(0.32913, within(5e-6));
        assertThat(TEN.product(7)).isCloseTo(0.29937, within(1e-5));
        assertThat(TEN.bestShare()).isCloseTo(0.6822, within(5e-5));
        assertThat(TEN.product(10)).isEqualTo(TEN.all());
        assertThat(TEN.replicated(10)).isCloseTo(TEN.all(), within(1e-12));
        assertThat(TEN.gradient(0)).isEqualTo(TEN.all());
    }

    /** What codes are said to take is what workers with such delays take. */
    @ParameterizedTest
    @ValueSource(ints = {10, 20, 50})
    void theFormulasAreTheMeansOfDrawnDelays(int n) {
        WaitingTimes times = new WaitingTimes(n, 0.5, n);
        SplittableRandom random = new SplittableRandom(n);
        int k = n - 2;
        int trials = 4000;
        double all = 0;
        double gradient = 0;
        for (int trial = 0; trial < trials; trial++) {
            double[] tasks = tasks(random, n, 0.5);
            all += tasks[n - 1] / trials;
            gradient += 3 * tasks[k - 1] / trials;
        }
        assertThat(times.all()).isCloseTo(all, within(0.05 * all));
        assertThat(times.gradient(2)).isCloseTo(gradient, within(0.05 * gradient));
    }

    @ParameterizedTest
    @CsvSource({"9, 9, 2", "9, 7, 0.3", "50, 40, 1"})
    void aFitFindsWhatTheRoundsWereDrawnFrom(int n, int waitedFor, double mu) {
        SplittableRandom random = new SplittableRandom(3);
        double[] rounds = new double[20_000];
        Arrays.setAll(rounds, i -> 0.2 * tasks(random, n, mu)[waitedFor - 1]);
        WaitingTimes fitted = WaitingTimes.fit(rounds, waitedFor, n);
        assertThat(fitted.mu()).isCloseTo(mu, within(0.1 * mu));
        assertThat(fitted.work()).isCloseTo(0.2 * n, within(0.1 * 0.2 * n));
    }

    /**
     * The median of the larger of two exponentials is −ln(1 − √½) = 1.2279, and its quartiles are
     * 0.6931 and 2.0101; those of the rounds are 1.75, 2 and 2.25.
     */
    @Test
    void threeRoundsOfTwoWorkersByHand() {
        WaitingTimes fitted = WaitingTimes.fit(new double[] {2.5, 1.5, 2}, 2, 2);
        double delay = 0.5 / (2.0101 - 0.6931);
        double least = 2 - 1.2279 * delay;
        assertThat(fitted.mu()).isCloseTo(least / delay, within(1e-3));
        assertThat(fitted.work()).isCloseTo(2 * least, within(1e-3));
    }

    @Test
    void pausesOfTheMachineInAFewRoundsChangeLittle() {
        SplittableRandom random = new SplittableRandom(3);
        double[] rounds = new double[500];
        Arrays.setAll(rounds, i -> tasks(random, 9, 2)[8] + (i % 25 == 0 ? 40 : 0));
        WaitingTimes fitted = WaitingTimes.fit(rounds, 9, 9);
        assertThat(fitted.mu()).isCloseTo(2, within(0.6));
    }

    /** One worker: energy is time times power. Of two at one speed both stop with the first. */
    @Test
    void twoSpeedsByHand() {
        WaitingTimes one = new WaitingTimes(1, 0.5, 3);
        TwoSpeeds usual = new TwoSpeeds(one, 0, 2);
        assertThat(usual.seconds(1)).isCloseTo(9, within(1e-3));
        assertThat(usual.energy(1)).isCloseTo(9, within(1e-3));
        TwoSpeeds fast = new TwoSpeeds(one, 1, 2);
        assertThat(fast.seconds(1)).isCloseTo(4.5, within(1e-3));
        assertThat(fast.energy(1)).isCloseTo(36, within(1e-2));
        TwoSpeeds first = new TwoSpeeds(new WaitingTimes(2, 0.5, 3), 0, 2);
        assertThat(first.seconds(1)).isCloseTo(3 + 6 / 2.0, within(1e-3));
        assertThat(first.energy(1)).isCloseTo(2 * (3 + 6 / 2.0), within(1e-3));
    }

    @Test
    void atOneSpeedItIsTheCodedProductAndFasterIsFaster() {
        TwoSpeeds usual = new TwoSpeeds(TEN, 0, 2);
        TwoSpeeds mixed = new TwoSpeeds(TEN, 0.3, 2);
        for (int k = 1; k <= 10; k++) {
            assertThat(usual.seconds(k)).isCloseTo(TEN.product(k), within(1e-4));
            assertThat(mixed.seconds(k)).isLessThan(usual.seconds(k));
            assertThat(mixed.energy(k)).isGreaterThan(usual.energy(k) / 2);
        }
    }

    @Test
    void twoSpeedsAreTheMeansOfDrawnOnes() {
        TwoSpeeds speeds = new TwoSpeeds(new WaitingTimes(6, 0.7, 6), 0.4, 3);
        SplittableRandom random = new SplittableRandom(9);
        int k = 4;
        double seconds = 0;
        double energy = 0;
        int trials = 20_000;
        for (int trial = 0; trial < trials; trial++) {
            double[] finish = new double[6];
            boolean[] fast = new boolean[6];
            for (int i = 0; i < 6; i++) {
                fast[i] = random.nextDouble() < 0.4;
                double time = 1.5 * (1 - Math.log(1 - random.nextDouble()) / 0.7);
                finish[i] = time / (fast[i] ? 3 : 1);
            }
            double[] sorted = finish.clone();
            Arrays.sort(sorted);
            seconds += sorted[k - 1] / trials;
            for (int i = 0; i < 6; i++) {
                energy += (fast[i] ? 27 : 1) * Math.min(finish[i], sorted[k - 1]) / trials;
            }
        }
        assertThat(speeds.seconds(k)).isCloseTo(seconds, within(0.03 * seconds));
        assertThat(speeds.energy(k)).isCloseTo(energy, within(0.03 * energy));
    }

    @Test
    void roundsThatAllTakeTheSameFitNothing() {
        assertThatThrownBy(() -> WaitingTimes.fit(new double[] {1, 1, 1}, 5, 5))
                .hasMessageContaining("a shifted exponential does not fit 3 rounds");
    }

    /** Times of n tasks of length 1, ascending. */
    private static double[] tasks(SplittableRandom random, int n, double mu) {
        double[] tasks = new double[n];
        Arrays.setAll(tasks, i -> 1 - Math.log(1 - random.nextDouble()) / mu);
        Arrays.sort(tasks);
        return tasks;
    }
}
