package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Draws;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.gar.Samples;
import dev.levee.gar.internal.IteratedKrum;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;

class BulyanTest {
    /** Seven points on a line, f = 1: θ = 5 rows, of whose values β = 3 are averaged. */
    private static final float[][] LINE = {{0}, {1}, {2}, {4}, {7}, {11}, {100}};

    private static float[] aggregate(String rule, int f, float[][] rows) {
        return Rules.aggregate(Rules.parse(rule), rows, f, 1);
    }

    /**
     * Seven left, four neighbours: scores 0: 1 + 4 + 16 + 49 = 70, 1: 1 + 1 + 9 + 36 = 47, 2: 1 + 4
     * + 4 + 25 = 34, 4: 4 + 9 + 9 + 16 = 38: takes 2. Six left, three neighbours: 0: 66, 1: 46, 4:
     * 9 + 9 + 16 = 34, 7: 9 + 16 + 36 = 61: takes 4. Five left, two: 0: 1 + 49, 1: 1 + 36, 7: 16 +
     * 36 = 52, 11: 16 + 100: takes 1. Four left, one: 0: 49, 7: 16, 11: 16: takes 7, the lowest.
     * Three left, one: 0: 121, 11: 121: takes 0. Of 0, 1, 2, 4, 7 the three closest to 2: 1, 2 and,
     * as near as 4, the lower 0.
     */
    @Test
    void selectsByKrumOverWhatIsLeft() {
        assertThat(aggregate("bulyan", 1, LINE)).containsExactly(1);
        Aggregator aggregator = new Aggregator(Rules.parse("bulyan"), 1, 1);
        aggregator.aggregate(LINE);
        assertThat(aggregator.last().scores()).startsWith(121, 37, 34, 34, 16, 121);
        assertThat(aggregator.last().map().uses(6)).isFalse();
    }

    /** One scoring, four neighbours: 70, 47, 34, 38, 86, 182, …: all but 11 and 100 are taken. */
    @Test
    void singlePassScoresOnce() {
        assertThat(aggregate("bulyan(single-pass)", 1, LINE)).containsExactly(1);
        Aggregator aggregator = new Aggregator(Rules.parse("bulyan(single-pass)"), 1, 1);
        aggregator.aggregate(LINE);
        assertThat(aggregator.last().scores()).startsWith(70, 47, 34, 38, 86, 246);
    }

    /**
     * Over the average of 0, 1, 2, 4, 7, 11, 29: 54/7 is nearest to 7; of the rest, 47/6 to 11;
     * 36/5 to 4; 32/4 = 8 to 2; 30/3 = 10 to 1. Of 1, 2, 4, 7, 11 the three closest to 4: 4, 2, and
     * 1, as near as 7.
     */
    @Test
    void selectsByNearnessToAnotherRulesResult() {
        float[][] rows = {{0}, {1}, {2}, {4}, {7}, {11}, {29}};
        Aggregator aggregator = new Aggregator(Rules.parse("bulyan(rule=average)"), 1, 1);
        assertThat(aggregator.aggregate(rows)).containsExactly((float) (7 / 3.0));
        assertThat(aggregator.last().map().uses(0)).isFalse();
        assertThat(aggregator.last().map().uses(6)).isFalse();
        assertThat(aggregator.last().scores()[1]).isCloseTo(81, within(1e-9));
    }

    /**
     * Krum told as another rule: multi-krum of one row, and Krum behind a step that does nothing.
     */
    @ParameterizedTest
    @ValueSource(strings = {"bulyan(rule=multi-krum(m=1))", "bulyan(rule=clip(1e30) | krum)"})
    void overKrumBothWays(String name) {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            int f = random.nextInt(4);
            int n = 4 * f + 3 + random.nextInt(6);
            float[][] rows =
                    seed % 2 == 0 ? Samples.normal(random, n, 20) : Samples.tied(random, n, 3);
            assertThat(aggregate(name, f, rows))
                    .as("seed %d", seed)
                    .isEqualTo(aggregate("bulyan", f, rows));
        }
    }

    /** Mixing and clipping are looked at again, which is answered from distances and norms. */
    @Test
    void overAPipeline() {
        for (String rule : new String[] {"nnm | multi-krum", "clip(1) | nnm | average"}) {
            float[][] rows = Samples.normal(new Random(5), 11, 30);
            rows[3] = new float[30];
            Arrays.fill(rows[3], 1e10f);
            float[] result = aggregate("bulyan(rule=" + rule + ")", 2, rows);
            for (float x : result) {
                assertThat(x).isBetween(-3f, 3f);
            }
        }
    }

    /** Rules that look at distances, norms, products, once or again; far rows stay outside. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "multi-krum",
                "mda",
                "smea",
                "caf",
                "cge",
                "geometric-median",
                "geometric-median(nu=0.1,iterations=3)",
                "nnm | krum",
                "arc | geometric-median"
            })
    void overRulesThatWeighRows(String rule) {
        for (int seed = 0; seed < 10; seed++) {
            float[][] rows = Samples.normal(new Random(seed), 11, 30);
            Arrays.fill(rows[3], seed % 2 == 0 ? 1e10f : Float.NaN);
            rows[8][seed] = 1e6f;
            for (float x : aggregate("bulyan(rule=" + rule + ")", 2, rows)) {
                assertThat(x).as("seed %d", seed).isBetween(-3f, 3f);
            }
        }
    }

    /** On a line it is the median: 4 goes first, and what is far off is never near it. */
    @Test
    void overTheGeometricMedianTheMiddleRowsAreSelected() {
        Aggregator aggregator = new Aggregator(Rules.parse("bulyan(rule=geometric-median)"), 1, 1);
        aggregator.aggregate(LINE);
        assertThat(aggregator.last().map().uses(3)).isTrue();
        assertThat(aggregator.last().map().uses(6)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"krum,bulyan", "multi-krum,bulyan(rule=multi-krum)"})
    void namesReadBack(String inner, String name) {
        Rule rule = Rules.parse("bulyan(rule=" + inner + ")");
        assertThat(rule.name()).isEqualTo(name);
        assertThat(Rules.parse(rule.name())).isEqualTo(rule);
    }

    @Test
    void rulesThatDoNotWeighRowsAreRefused() {
        for (String inner : new String[] {"median", "trimmed-mean", "bulyan"}) {
            assertThatThrownBy(() -> Rules.parse("bulyan(rule=" + inner + ")"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("bulyan ")
                    .hasMessageContaining(inner);
        }
        assertThatThrownBy(() -> Rules.parse("bulyan(rule=average, single-pass)"))
                .hasMessage("bulyan: single-pass works only with krum, got rule=average");
    }

    /** 43 over 10 is 1,917,334,783, which would take hours. */
    @Test
    void theSelectingRuleMayRefuseTheNumberOfRows() {
        Rule bulyan = Rules.parse("bulyan(rule=smea)");
        bulyan.check(11, 2);
        assertThatThrownBy(() -> bulyan.check(43, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "smea chooses among 1917334783 subsets with n = 43 and f = 10, but at most"
                                + " 200000 are allowed");
    }

    /**
     * Each row's neighbors are sorted once, so four times the rows allocate sixteen times as much;
     * sorting them again for each row selected would allocate 64 times as much.
     */
    @Test
    void selectionAllocatesForEachPairOnce() {
        allocatedBySelectionAmong(10); // loads classes
        assertThat(allocatedBySelectionAmong(400))
                .isBetween(8 * allocatedBySelectionAmong(100), 24 * allocatedBySelectionAmong(100));
    }

    private static long allocatedBySelectionAmong(int n) {
        double[][] squares = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                squares[i][j] = squares[j][i] = 1 + Math.abs(Draws.normal(i, j));
            }
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        IteratedKrum.of(squares, n / 5);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
