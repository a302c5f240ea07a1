package dev.levee.operators.rounds.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

class CodedMatrixTest {
    /** Lee et al. 2018, figure 1, with a combination of two blocks for the third worker. */
    @Test
    void anyTwoOfThreeGiveTheProductByHand() {
        MdsCode code = MdsCode.of(3, 2, 1);
        double a = code.combination(2)[0];
        double b = code.combination(2)[1];
        CodedMatrix matrix = CodedMatrix.of(code, new float[][] {{1, 2}, {3, 4}, {5, 6}});
        // Two blocks of two rows, the last of which is zero.
        float[] x = {1, 10};
        assertThat(matrix.answer(0, x)).containsExactly(21, 43);
        assertThat(matrix.answer(1, x)).containsExactly(65, 0);
        assertThat(matrix.answer(2, x))
                .containsExactly(
                        new float[] {(float) (21 * a + 65 * b), (float) (43 * a)}, within(1e-4f));
        for (int[] who : new int[][] {{0, 1}, {0, 2}, {2, 1}, {1, 0}}) {
            float[][] answers = {matrix.answer(who[0], x), matrix.answer(who[1], x)};
            assertThat(matrix.decode(who, answers))
                    .containsExactly(new float[] {21, 43, 65}, within(1e-3f));
        }
        assertThat(matrix.size()).isEqualTo(12);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "4, 4", "10, 7", "10, 5", "12, 9", "20, 18", "20, 14"})
    void anyKAnswersGiveTheProduct(int n, int k) {
        MdsCode code = MdsCode.of(n, k, 3);
        SplittableRandom random = new SplittableRandom(n * 1000L + k);
        float[][] a = new float[2 * k + 1][6];
        for (float[] row : a) {
            for (int j = 0; j < row.length; j++) {
                row[j] = (float) random.nextGaussian();
            }
        }
        CodedMatrix matrix = CodedMatrix.of(code, a);
        float[] x = {1, -1, 0.5f, 2, 3, -2};
        float[] exact = new float[a.length];
        for (int row = 0; row < a.length; row++) {
            exact[row] = CodedMatrix.product(a[row], x)[0];
        }
        for (int i = 0; i < 20; i++) {
            int[] order = IntStream.range(0, n).toArray();
            for (int at = 0; at < k; at++) {
                int other = at + random.nextInt(n - at);
                int swapped = order[at];
                order[at] = order[other];
                order[other] = swapped;
            }
            int[] who = IntStream.of(order).limit(k).toArray();
            float[][] answers =
                    IntStream.of(who)
                            .mapToObj(worker -> matrix.answer(worker, x))
                            .toArray(float[][]::new);
            float tolerance = (float) (1e-5 * code.condition() + 1e-5);
            assertThat(matrix.decode(who, answers)).containsExactly(exact, within(tolerance));
        }
    }

    @Test
    void vectorsAndAnswersOfAnotherLengthAreRefused() {
        MdsCode code = MdsCode.of(2, 1, 1);
        CodedMatrix matrix = CodedMatrix.of(code, new float[][] {{1, 2, 3, 4}});
        assertThatThrownBy(() -> matrix.answer(0, new float[2]))
                .hasMessage("the matrix has 4 columns, the vector 2");
        assertThatThrownBy(() -> CodedMatrix.product(matrix.blocks()[0], new float[8]))
                .hasMessage("a block of 4 numbers has no rows as long as a vector of 8");
        assertThatThrownBy(() -> matrix.decode(new int[] {0}, new float[1][2]))
                .hasMessage("an answer needs 1 numbers, got 2");
    }

    @Test
    void aCodeNeedsAsManyWorkersAsBlocks() {
        assertThatThrownBy(() -> MdsCode.of(3, 4, 1)).hasMessageContaining("1 ≤ k ≤ n");
        assertThat(MdsCode.of(5, 5, 1).condition()).isEqualTo(1);
    }

    /** y = 3a − b + 0.5; whoever is slow changes from step to step. */
    @Test
    void aRegressionIsLearntFromAnyKAnswers() {
        SplittableRandom random = new SplittableRandom(5);
        float[][] x = new float[60][];
        float[] y = new float[60];
        for (int i = 0; i < x.length; i++) {
            float a = (float) random.nextGaussian();
            float b = (float) random.nextGaussian();
            x[i] = new float[] {a, b, 1};
            y[i] = 3 * a - b + 0.5f;
        }
        CodedRegression linear =
                new CodedRegression(
                        y,
                        false,
                        first(x, 6, 4, random),
                        first(CodedMatrix.transposed(x), 6, 3, random));
        assertThat(linear.descend(new float[3], 200, 0.3))
                .containsExactly(new float[] {3, -1, 0.5f}, within(1e-3f));

        float[] classes = new float[60];
        for (int i = 0; i < classes.length; i++) {
            classes[i] = y[i] > 0 ? 1 : 0;
        }
        CodedRegression coded =
                new CodedRegression(
                        classes,
                        true,
                        first(x, 6, 4, random),
                        first(CodedMatrix.transposed(x), 6, 3, random));
        CodedRegression plain =
                new CodedRegression(
                        classes,
                        true,
                        first(x, 1, 1, random),
                        first(CodedMatrix.transposed(x), 1, 1, random));
        assertThat(coded.descend(new float[3], 100, 1))
                .containsExactly(plain.descend(new float[3], 100, 1), within(1e-2f));
    }

    /** Products by k workers, drawn anew each time. */
    private static CodedRegression.Product first(
            float[][] matrix, int n, int k, SplittableRandom random) {
        CodedMatrix coded = CodedMatrix.of(MdsCode.of(n, k, 2), matrix);
        return v -> {
            int from = random.nextInt(n);
            int[] who = IntStream.range(from, from + k).map(i -> i % n).toArray();
            return coded.decode(
                    who,
                    IntStream.of(who)
                            .mapToObj(worker -> coded.answer(worker, v))
                            .toArray(float[][]::new));
        };
    }
}
