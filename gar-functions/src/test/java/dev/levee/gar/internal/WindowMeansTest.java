package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Samples;
import dev.levee.gar.internal.vector.VectorKernels;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Against dropping the farther end of each coordinate's sorted values, one after the other. */
class WindowMeansTest {
    @Test
    void keepsWhatIsLeftWhenTheFartherEndsAreDropped() {
        for (int seed = 0; seed < 150; seed++) {
            Random random = new Random(seed);
            int n = 1 + random.nextInt(12);
            int d = 1 + random.nextInt(200);
            float[][] rows =
                    switch (seed % 4) {
                        case 0 -> Samples.hard(random, n, d);
                        case 1 -> Samples.tied(random, n, d);
                        case 2 -> Samples.scaled(random, n, d);
                        default -> Samples.normal(random, n, d);
                    };
            int low = random.nextInt(n);
            int high = low + random.nextInt(n - low);
            int keep = 1 + random.nextInt(n);
            for (Kernels kernels : List.of(new PlainKernels(), new VectorKernels())) {
                float[] actual = new float[d];
                new OrderStatistics(kernels, n)
                        .meanAround(low, high, keep, new Rows(rows, new int[n], d), actual, 0);
                for (int i = 0; i < d; i++) {
                    float[] sorted = new float[n];
                    for (int r = 0; r < n; r++) {
                        sorted[r] = rows[r][i];
                    }
                    Arrays.sort(sorted);
                    assertThat(actual[i])
                            .as("coordinate %d, seed %d", i, seed)
                            .isEqualTo(
                                    Float.valueOf(closest(sorted, mean(sorted, low, high), keep)));
                }
            }
        }
    }

    private static float closest(float[] sorted, double center, int keep) {
        int low = 0;
        int high = sorted.length - 1;
        while (high - low >= keep) {
            if (distance(center, sorted[low]) > distance(center, sorted[high])) {
                low++;
            } else {
                high--;
            }
        }
        return (float) mean(sorted, low, high);
    }

    private static double distance(double center, float value) {
        double distance = Math.abs(center - value);
        return Double.isNaN(distance) ? Double.POSITIVE_INFINITY : distance;
    }

    private static double mean(float[] sorted, int low, int high) {
        double sum = 0;
        for (int r = low; r <= high; r++) {
            sum += sorted[r];
        }
        return sum / (high - low + 1);
    }
}
