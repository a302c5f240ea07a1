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
