package dev.levee.learners.internal.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InitialValuesTest {
    @ParameterizedTest
    @CsvSource({
        "0.5, 0",
        "0.975, 1.959963985",
        "0.6, 0.2533471031",
        "0.05, -1.644853627",
        "0.01, -2.326347874",
        "1e-4, -3.719016485",
        "1e-8, -5.612001244",
        "1e-13, -7.348796102"
    })
    void quantilesAreThoseOfTables(double p, double quantile) {
        assertThat(NormalQuantile.of(p)).isCloseTo(quantile, within(1e-6));
    }

    @Test
    void numbersAreAFunctionOfKeyAndIndex() {
        long key = CounterRandom.key(1, "fc.weight");
        assertThat(CounterRandom.uniform(key, 7)).isEqualTo(CounterRandom.uniform(key, 7));
        assertThat(CounterRandom.key(1, "fc.weight")).isEqualTo(key);
        assertThat(CounterRandom.key(2, "fc.weight")).isNotEqualTo(key);
        assertThat(CounterRandom.key(1, "fc.bias")).isNotEqualTo(key);
    }

    @Test
    void uniformNumbersFillTheirInterval() {
        long key = CounterRandom.key(3, "x");
        int[] counts = new int[10];
        for (int i = 0; i < 100_000; i++) {
            counts[(int) (10 * CounterRandom.uniform(key, i))]++;
        }
        // Ten thousand each; the standard deviation of a count is 95.
        for (int count : counts) {
            assertThat(count).isBetween(9_600, 10_400);
        }
    }

    @Test
    void heAndGlorotHaveTheirVariances() {
        assertThat(deviation(InitialValues.he(50))).isCloseTo(0.2, within(0.002));
        assertThat(deviation(InitialValues.glorot(30, 20))).isCloseTo(0.2, within(0.002));
    }

    private static double deviation(InitialValues initial) {
        long key = CounterRandom.key(4, "y");
        double squares = 0;
        for (int i = 0; i < 100_000; i++) {
            double value = initial.at(key, i);
            squares += value * value;
        }
        return Math.sqrt(squares / 100_000);
    }
}
