package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

class OrderTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 47, 48, 49, 100, 1000})
    void ordersIndicesByNumberThenIndex(int n) {
        Random random = new Random(n);
        check(n, i -> random.nextGaussian());
        check(n, i -> Math.scalb(random.nextGaussian(), random.nextInt(600) - 300));
        check(n, i -> random.nextInt(3) - 1); // many are equal
        check(n, i -> random.nextBoolean() ? 0.0 : -0.0); // all are equal
        check(n, i -> i % 7 == 0 ? Double.POSITIVE_INFINITY : -i);
        check(n, i -> 1 + random.nextInt(1000) * 0x1p-50); // in the lower half of the bits only
    }

    @Test
    void sumsTheLeastFromTheLeastOn() {
        for (int n : new int[] {5, 47, 48, 300}) {
            double[] values = new Random(n).doubles(n, 0, 1e9).toArray();
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            double sum = 0;
            for (int k = 0; k < n - 3; k++) {
                sum += sorted[k];
            }
            assertThat(Order.sumOfLeast(values, n - 3)).isEqualTo(sum);
        }
    }

    private static void check(int n, IntToDoubleFunction value) {
        double[] values = IntStream.range(0, n).mapToDouble(value::applyAsDouble).toArray();
        int[] expected =
                IntStream.range(0, n)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> values[i] + 0.0))
                        .mapToInt(Integer::intValue)
                        .toArray();
        assertThat(Order.ascending(values)).isEqualTo(expected);
    }
}
