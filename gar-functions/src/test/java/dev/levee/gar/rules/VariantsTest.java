package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Arguments;
import dev.levee.gar.LookResult;
import dev.levee.gar.Rules;
import dev.levee.gar.Samples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What a name means in other libraries, and what adapts to the rows, by hand. */
class VariantsTest {
    private static float[][] line(float... values) {
        float[][] rows = new float[values.length][];
        Arrays.setAll(rows, i -> new float[] {values[i]});
        return rows;
    }

    private static float weighted(String rule, int f, double[] weights, float... values) {
        return new Aggregator(Rules.parse(rule), f, 1)
                .aggregate(line(values), round -> round.withWeights(weights))[0];
    }

    /** Rows 0 to 4 on a line; the two nearest others of row 0 are 1 and 2 away. */
    @ParameterizedTest
    @CsvSource({"paper, 5", "plain, 3", "blades, 17"})
    void whatKrumSums(String score, double expected) {
        double[] squares = new double[LookResult.pairs(5)];
        for (int i = 0; i < 5; i++) {
            for (int j = i + 1; j < 5; j++) {
                squares[LookResult.pair(i, j, 5)] = (j - i) * (j - i);
            }
        }
        KrumScore of = KrumScore.of(new Arguments("krum", Map.of("score", score)));
        assertThat(of.scores(new LookResult(5, squares, new double[0]), 5, 1)[0])
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "krum(score=blades)",
                "krum(plain)",
                "multi-krum(m=2,neighbours=n-f-1,score=blades)",
                "bulyan(variant=garfield)",
                "sign-guard",
                "sign-guard(similarity=cosine)",
                "sign-guard(similarity=distance)",
                "flag(m=3,lambda=2,rows=raw)",
                "centered-clipping(tau=auto,iterations=2)",
                "clip(median) | average",
                "monna(trusted=device-7)"
            })
    void namesReadBack(String name) {
        assertThat(Rules.parse(name).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "krum(plain,score=paper); krum takes plain or score, not both",
                "multi-krum(m=2,plain,score=blades); multi-krum takes plain or score, not both",
                "krum(score=flower); krum: score must be paper, plain or blades, got flower",
                "bulyan(variant=x); bulyan: variant must be paper or garfield, got x",
                "bulyan(single-pass,variant=garfield); bulyan: variant=garfield excludes rule and single-pass",
                "sign-guard(similarity=x); sign-guard: similarity must be none, cosine or distance",
                "flag(rows=long); flag: rows must be unit or raw, got long",
                "flag(lambda=1e308); flag: lambda must be a number from 0 to 1.0E100, got 1.0E308",
                "geometric-median(nu=Infinity); geometric-median: nu must be a number above 0, got Infinity",
                "geometric-median(nu=1e400); geometric-median: nu must be a number above 0, got Infinity",
                "centered-clipping(tau=-1); centered-clipping: tau must be above 0 or auto, got -1",
                "clipped-gossip(tau=-1); clipped-gossip: tau must be above 0 or auto, got -1",
                "clip(-1) | average; clip: the bound c must be above 0, got -1"
            })
    void wrongWordsAreExplained(String text, String sentence) {
        assertThatThrownBy(() -> Rules.parse(text)).hasMessageStartingWith(sentence);
    }

    /** Code can pass counts that the parser refuses. */
    @Test
    void countsAreCheckedWithoutTheParser() {
        assertThatThrownBy(() -> new CenteredClipping(10, 0))
                .hasMessage("centered-clipping: iterations must be at least 1, got 0");
        assertThatThrownBy(() -> new GeometricMedian.Smoothing(0.1, 0, true))
                .hasMessage("geometric-median: iterations must be at least 1, got 0");
        assertThatThrownBy(() -> new DivideAndConquer(0, 0, 1))
                .hasMessage("dnc: iterations must be at least 1, got 0");
        assertThatThrownBy(() -> new DivideAndConquer(1, -1, 1))
                .hasMessage("dnc: dimensions must be at least 0, got -1");
        assertThatThrownBy(() -> new Flag(-1, 1, false))
                .hasMessage("flag: m must be at least 0, got -1");
    }

    /** Garfield's steps, one after the other, on numbers. */
    private static float garfield(double[] x, int f) {
        int n = x.length;
        List<Integer> ranked = new ArrayList<>();
        double[] scores = new double[n];
        for (int i = 0; i < n; i++) {
            ranked.add(i);
            float own = (float) x[i];
            double[] distances = new double[n];
            for (int j = 0; j < n; j++) {
                // In float, as looks measure: on a line many sums are equal but for rounding.
                float difference = (float) x[j] - own;
                distances[j] = Math.sqrt(difference * difference);
            }
            Arrays.sort(distances);
            for (int k = 1; k < n - f - 1; k++) {
                scores[i] += distances[k];
            }
        }
        ranked.sort(Comparator.comparingDouble(i -> scores[i]));
        double[] selected = new double[n - 2 * f - 2];
        for (int k = 0; k < selected.length; k++) {
            int m = n - f - 2 - k;
            selected[k] = ranked.subList(k, k + m).stream().mapToDouble(i -> x[i]).sum() / m;
        }
        Arrays.sort(selected);
        double median = selected[(selected.length - 1) / 2];
        return (float)
                Arrays.stream(selected)
                        .boxed()
                        .sorted(Comparator.comparingDouble(v -> Math.abs(v - median)))
                        .limit(selected.length - 2L * f)
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElseThrow();
    }

    @Test
    void bulyanAsInGarfield() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            int f = 1 + random.nextInt(2);
            float[][] rows = Samples.normal(random, 4 * f + 3 + random.nextInt(4), 1);
            double[] values = new double[rows.length];
            Arrays.setAll(values, i -> rows[i][0]);
            assertThat(Rules.aggregate(Rules.parse("bulyan(variant=garfield)"), rows, f, 1)[0])
                    .as("seed %d", seed)
                    .isCloseTo(garfield(values, f), within(1e-5f));
        }
    }

    /** Norms 1, 2 and 9 have the median 2: (1 + 2 + 2) / 3; from 0, so have the distances. */
    @ParameterizedTest
    @ValueSource(strings = {"clip(median) | average", "centered-clipping(tau=auto)"})
    void theMedianIsTheBound(String rule) {
        assertThat(Rules.aggregate(Rules.parse(rule), line(1, 2, 9), 1, 1)[0])
                .isCloseTo(5 / 3f, within(1e-6f));
    }

    /** From 5/3 the distances are 2/3, 1/3 and 22/3: a third of −2/3 + 1/3 + 2/3 further. */
    @Test
    void eachStepHasItsOwnMedian() {
        assertThat(
                        Rules.aggregate(
                                Rules.parse("centered-clipping(tau=auto,iterations=2)"),
                                line(1, 2, 9),
                                1,
                                1)[0])
                .isCloseTo(16 / 9f, within(1e-6f));
    }

    @ParameterizedTest
    @CsvSource({
        "average, 5.2",
        "cge, 1.25",
        "norm-threshold, 1.4",
        "geometric-median, 1",
        "'geometric-median(nu=0.001,iterations=100)', 1",
        "mda, 1.25",
        "aksel, 1.25",
        "monna, 1.25"
    })
    void weightsCount(String rule, float expected) {
        assertThat(weighted(rule, 1, new double[] {3, 1, 1}, 1, 2, 21))
                .isCloseTo(expected, within(0.01f));
    }

    /** Of 1, 2 and 21 with weights 3, 1, 1, from 0 with τ = 10: (3 + 2 + 10) / 5. */
    @Test
    void weightsPull() {
        assertThat(weighted("centered-clipping", 1, new double[] {3, 1, 1}, 1, 2, 21))
                .isCloseTo(3, within(1e-6f));
    }

    /** All three mix with the nearer of their neighbours: 5/4, 5/4, 23/2. */
    @Test
    void neighboursCountByWeight() {
        assertThat(weighted("nnm | average", 1, new double[] {3, 1, 1}, 1, 2, 21))
                .isCloseTo((4 * 1.25f + 11.5f) / 5, within(1e-5f));
    }
}
