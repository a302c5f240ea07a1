package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

class IteratedKrumTest {
    /** Scores kept by subtraction select what scores summed anew select, to the last bit. */
    @Test
    void selectsWhatScoresSummedAnewSelect() {
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            int n = 1 + random.nextInt(seed < 380 ? 30 : 150);
            int f = random.nextInt(n / 2 + 1);
            double[][] squares = new double[n][n];
            for (int i = 0; i < n; i++) {
                for (int j = i + 1; j < n; j++) {
                    squares[i][j] = square(random, seed, i < f || j < f);
                    squares[j][i] = squares[i][j];
                }
            }
            IteratedKrum actual = IteratedKrum.of(squares, f);
            double[] scores = new double[n];
            assertThat(actual.selection())
                    .as("%d rows, f = %d, seed %d", n, f, seed)
                    .isEqualTo(naive(squares, f, scores));
            assertThat(actual.scores()).as("scores, seed %d", seed).isEqualTo(scores);
        }
    }

    private static double square(Random random, int seed, boolean far) {
        if (seed % 5 == 0) {
            return random.nextInt(3);
        }
        if (seed % 5 == 1 && random.nextInt(9) == 0) {
            return random.nextBoolean() ? Double.NaN : Double.POSITIVE_INFINITY;
        }
        return random.nextDouble() * (far ? seed % 5 == 2 ? 1e30 : 9 : 1);
    }

    private static int[] naive(double[][] squares, int f, double[] scores) {
        int n = squares.length;
        int[] left = IntStream.range(0, n).toArray();
        int[] selection = new int[Math.max(1, n - 2 * f)];
        for (int k = 0; k < selection.length; k++) {
            int best = left[0];
            for (int i : left) {
                int[] others = IntStream.of(left).filter(j -> j != i).toArray();
                double[] sorted =
                        IntStream.of(others)
                                .mapToDouble(j -> squares[i][j])
                                .map(x -> Double.isNaN(x) ? Double.POSITIVE_INFINITY : x)
                                .sorted()
                                .toArray();
                scores[i] = 0;
                int counted = Math.min(sorted.length, Math.max(1, n - k - f - 2));
                for (int c = 0; c < counted; c++) {
                    scores[i] += sorted[c];
                }
                best = scores[i] < scores[best] ? i : best;
            }
            int taken = best;
            selection[k] = taken;
            left = Arrays.stream(left).filter(i -> i != taken).toArray();
        }
        return selection;
    }

    @Test
    void ordersEqualNumbersByIndex() {
        assertThat(Order.ascending(new double[] {2, 1, 2, 0, 1})).containsExactly(3, 1, 4, 0, 2);
        assertThat(Order.ascending(new double[0])).isEmpty();
    }
}
