package dev.levee.operators.rounds.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

class GradientCodeTest {
    private static final double[][] H = {{-2, 1, 1}};
    private static final Offset<Double> CLOSE = within(1e-14);

    /** Tandon et al. 2017, example of n = 3 and s = 1; rows there are not scaled to norm 1. */
    @Test
    void theThreeByThreeExampleOfThePaper() {
        double[][] paper = {{0.5, 1, 0}, {0, 1, -1}, {0.5, 0, 1}};
        Cyclic code = Cyclic.of(H);
        double[] scales = new double[3];
        for (int i = 0; i < 3; i++) {
            int lead = i;
            scales[i] = paper[i][i] / code.matrix()[i][i];
            assertThat(Arrays.stream(code.matrix()[i]).map(each -> each * scales[lead]).toArray())
                    .containsExactly(paper[i], within(1e-15));
        }
        assertThat(weights(code, scales, 0, 1)).containsExactly(new double[] {2, -1}, CLOSE);
        assertThat(weights(code, scales, 0, 2)).containsExactly(new double[] {1, 1}, CLOSE);
        assertThat(weights(code, scales, 1, 2)).containsExactly(new double[] {1, 2}, CLOSE);
    }

    private static double[] weights(GradientCode code, double[] scales, int... answers) {
        double[] weights = code.decode(answers).weights();
        return IntStream.range(0, answers.length)
                .mapToDouble(i -> weights[i] / scales[answers[i]])
                .toArray();
    }

    @ParameterizedTest
    @CsvSource({
        "3, 1, 10",
        "4, 1, 3",
        "9, 2, 30",
        "10, 2, 1000",
        "10, 3, 100",
        "20, 3, 1000",
        "21, 2, 200",
        "50, 3, 10000",
        "100, 3, 100000"
    })
    void anyAnswersButSGiveTheSumOfAllShares(int n, int s, double condition) {
        Cyclic code = Cyclic.of(n, s, 7);
        assertThat(code.condition()).isLessThan(condition);
        SplittableRandom random = new SplittableRandom(n + s);
        for (int i = 0; i < 30; i++) {
            int[] answers = answers(random, n, n - s);
            double tolerance = code.condition() * code.condition() * 1e-30 + 1e-28;
            assertThat(code.decode(answers).residual()).isLessThan(tolerance * n);
        }
    }

    @Test
    void aCodeThatLosesTooManyDigitsIsRefused() {
        assertThatThrownBy(() -> Cyclic.of(99, 10, 1))
                .hasMessageContaining("cyclic(10) of 99 workers loses too many digits");
    }

    @Test
    void fractionalTakesOneCopyOfEachPart() {
        Fractional code = new Fractional(6, 1);
        assertThat(code.shares(4)).containsExactly(2, 3);
        assertThat(code.matrix()[4]).containsExactly(0, 0, 0.5, 0.5, 0, 0);
        Decoding decoding = code.decode(new int[] {0, 2, 3, 4});
        assertThat(decoding.weights()).containsExactly(2, 2, 0, 2);
        assertThat(decoding.residual()).isZero();
        assertThat(code.residual(new int[] {0, 2, 3, 4}, decoding.weights())).isZero();
    }

    @Test
    void aPartWithoutACopyIsTheResidual() {
        GradientCode code = Coding.parse("approximate(1)").code(6, 1);
        Decoding decoding = code.decode(new int[] {0, 1, 3});
        assertThat(decoding.weights()).containsExactly(2, 2, 0);
        assertThat(decoding.residual()).isEqualTo(1.0 / 3);
        assertThat(code.residual(new int[] {0, 1, 3}, decoding.weights())).isEqualTo(1.0 / 3);
    }

    @Test
    void fewerAnswersToACyclicCodeGiveTheLeastSquares() {
        GradientCode code = Coding.parse("approximate(2)").code(7, 1);
        int[] answers = {0, 1, 3, 4};
        Decoding decoding = code.decode(answers);
        assertThat(decoding.residual()).isBetween(0.001, 1.0);
        for (int i = 0; i < answers.length; i++) {
            for (double by : new double[] {-1e-3, 1e-3}) {
                double[] moved = decoding.weights().clone();
                moved[i] += by;
                assertThat(code.residual(answers, moved)).isGreaterThan(decoding.residual());
            }
        }
    }

    @Test
    void codesAreReadAndWritten() {
        assertThat(Coding.parse(" cyclic( 3 ) ")).hasToString("cyclic(3)");
        assertThatThrownBy(() -> Coding.parse("cyclic(0)"))
                .hasMessageContaining("fractional(s), cyclic(s) or approximate(s)");
        assertThatThrownBy(() -> Coding.parse("fractional(2)").code(10, 1))
                .hasMessageContaining("that 3 divides, got 10");
        assertThat(Coding.parse("fractional(2)").quorum(9, 0)).isEqualTo(7);
        assertThat(Coding.parse("fractional(2)").quorum(9, 1)).isEqualTo(9);
        assertThat(Coding.parse("fractional(3)").quorum(8, 1)).isEqualTo(7);
    }

    private static int[] answers(SplittableRandom random, int n, int count) {
        int[] all = IntStream.range(0, n).toArray();
        for (int i = 0; i < count; i++) {
            int j = i + random.nextInt(n - i);
            int swapped = all[i];
            all[i] = all[j];
            all[j] = swapped;
        }
        return IntStream.of(all).limit(count).sorted().toArray();
    }
}
