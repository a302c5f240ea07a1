package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Draws;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Rules;
import dev.levee.gar.Step;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

class SignGuardTest {
    private static final Rule RULE = new SignGuard();

    /**
     * Norms 1, 2, 4, 0.1, 20 have the median 2: 0.1 and 20 go, 4 is clipped to 2: (1 + 2 + 2) / 3.
     */
    @Test
    void filtersByNormAndClips() {
        Step.LookAgain again = byNorm(1, 2, 4, 0.1, 20);
        assertThat(RowNotes.of(again.map(), 0, 2)).containsExactly(1, 1, 0.5, 0, 0);
        assertThat(again.look().signs()).isTrue();
        Step.Reduce step = bySign(again, new double[15]);
        assertThat(step.map().weights())
                .isDeepEqualTo(
                        new double[][] {{1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 0.5, 0, 0}});
    }

    /**
     * Ten coordinates drawn, positive: 6, 6, 7, 1, 6. Second nearest: 0, 0, √2/10, 5√2/10, 0: the
     * bandwidth is 6√2/50 = 0.17, so rows 0, 1, 2 and 4 are the largest cluster.
     */
    @Test
    void keepsTheLargestClusterOfSigns() {
        double[] signs = {6, 0, 4, 6, 0, 4, 7, 0, 3, 1, 0, 9, 6, 0, 4};
        Step.Reduce step = bySign(byNorm(1, 1, 1, 1, 1), signs);
        assertThat(step.map().outputs()).isEqualTo(4);
        assertThat(step.map().uses(3)).isFalse();
        assertThat(step.scores()).containsExactly(0.6, 0.6, 0.7, 0.1, 0.6);
    }

    /**
     * The largest cluster is that of rows 2, 3 and 4. Of norms 1, 1, 0.01, 0.02, 9 these are the
     * wrong ones, so norms alone decide; of 1, 1, 1, 90, 80 only row 2 passes both.
     */
    @Test
    void withoutACommonRowTheNormsDecide() {
        double[] signs = {9, 0, 1, 5, 0, 5, 0, 0, 10, 0, 0, 10, 0, 0, 10};
        assertThat(bySign(byNorm(1, 1, 0.01, 0.02, 9), signs).map().weights())
                .isDeepEqualTo(new double[][] {{1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}});
        assertThat(bySign(byNorm(1, 1, 1, 90, 80), signs).map().weights())
                .isDeepEqualTo(new double[][] {{0, 0, 1, 0, 0}});
    }

    /** Rows of the right norm that point elsewhere are found by their signs. */
    @Test
    void flippedRowsAreLeftOut() {
        int n = 11;
        float[][] rows = new float[n][2000];
        for (int r = 0; r < n; r++) {
            for (int i = 0; i < 2000; i++) {
                double mean = i % 4 == 0 ? -1 : 1;
                rows[r][i] = (float) ((r < 3 ? -1 : 1) * (mean + Draws.normal(r, i)));
            }
        }
        Aggregator aggregator = new Aggregator(RULE, 3, 1);
        aggregator.aggregate(rows);
        for (int r = 0; r < 3; r++) {
            assertThat(aggregator.last().map().uses(r)).isFalse();
        }
        assertThat(aggregator.last().map().outputs()).isGreaterThan(4);
        assertThat(aggregator.last().scores()[5]).isCloseTo(0.67, within(0.1));
    }

    @Test
    void nothingButZerosAndNothingButNaN() {
        assertThat(Rules.aggregate(RULE, new float[3][2], 1, 1)).containsExactly(0, 0);
        float[][] rows = new float[3][2];
        Arrays.stream(rows).forEach(row -> Arrays.fill(row, Float.NaN));
        assertThat(Rules.aggregate(RULE, rows, 1, 1)).containsOnly(Float.NaN);
    }

    private static Step.LookAgain byNorm(double... norms) {
        double[] squares = new double[LookResult.pairs(norms.length + 1)];
        for (int i = 0; i < norms.length; i++) {
            squares[LookResult.pair(i, norms.length, norms.length + 1)] = norms[i] * norms[i];
        }
        LookResult looked = new LookResult(norms.length + 1, squares, new double[0]);
        return (Step.LookAgain) decide(0, RowMap.identity(norms.length, norms.length), looked);
    }

    private static Step.Reduce bySign(Step.LookAgain again, double[] signs) {
        Look look = again.look();
        int n = again.map().outputs();
        LookResult looked = new LookResult(look.points(n), new double[0], new double[0], signs);
        return (Step.Reduce) decide(1, again.map(), looked);
    }

    private static Step decide(int phase, RowMap mixed, LookResult looked) {
        return RULE.decide(
                phase, mixed, looked, new Round(mixed.outputs(), 1, 0, 1), RuleState.NONE);
    }
}
