package dev.levee.gar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.levee.gar.block.Blocks;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What every rule and every pipeline promises. */
class RuleContractTest {
    private static final int SEEDS = 20;

    private static final List<String> VARIANTS =
            List.of(
                    "median(lower)",
                    "multi-krum(m=2)",
                    "multi-krum(m=n-f,neighbours=n-f-1)",
                    "krum(neighbours=n-f-1)",
                    "krum(plain)",
                    "aksel(nearest)",
                    "bulyan(single-pass)",
                    "bulyan(rule=average)",
                    "bulyan(rule=geometric-median)",
                    "dnc(dimensions=7)",
                    "geometric-median(nu=0.1,iterations=3,start=zero)",
                    "geometric-median(nu=0.01,iterations=20,start=mean)",
                    "centered-clipping(tau=2,iterations=4)",
                    "norm-threshold(multiple=2)",
                    "krum(score=blades)",
                    "bulyan(variant=garfield)",
                    "sign-guard(similarity=cosine)",
                    "sign-guard(similarity=distance)",
                    "centered-clipping(tau=auto)",
                    "centered-clipping(tau=auto,iterations=3)",
                    "clipped-gossip(tau=2)",
                    "flag(rows=raw)");

    /** What is about the origin moves with scale but not with translation. */
    private static final List<String> ABOUT_THE_ORIGIN =
            List.of("clip", "arc", "cge", "norm-threshold", "start=zero", "sign-guard", "flag");

    /**
     * What trusts a row that may lie, makes a few steps from where the far rows have a say, or
     * looks along one direction only, where rows far away hide those that are less far.
     */
    private static final List<String> NOT_FOR_ANY =
            List.of("monna", "start=mean", "dnc", "rows=raw");

    /** What makes all rows equally long. */
    private static final List<String> AT_LENGTH_ONE = List.of("flag");

    /** What depends on which row comes where: by a draw, a trusted row, or ties between subsets. */
    private static final List<String> ABOUT_ORDER =
            List.of("bucketing", "monna", "mda", "bulyan", "sign-guard", "clipped-clustering");

    static List<String> rules() {
        List<String> all = new ArrayList<>(Rules.names());
        all.removeIf(name -> Rules.parse(name).needsScores());
        all.addAll(VARIANTS);
        all.addAll(
                List.of(
                        "clip(2) | average",
                        "clip(median) | average",
                        "nnm | multi-krum",
                        "nnm | clip(2) | median",
                        "clip(2) | nnm | trimmed-mean",
                        "nnm | nnm | krum",
                        "arc | nnm | median",
                        "bucketing(2) | median",
                        "bucketing(3) | nnm | trimmed-mean"));
        return all;
    }

    /** The rules that tolerate any minority; average does not, nor what ends in it. */
    static List<String> robust() {
        return rules().stream()
                .filter(rule -> !rule.endsWith("average") && !mentions(rule, NOT_FOR_ANY))
                .toList();
    }

    static List<String> translatable() {
        return rules().stream().filter(rule -> !mentions(rule, ABOUT_THE_ORIGIN)).toList();
    }

    /** Where no absolute bound is given. */
    static List<String> scalable() {
        return rules().stream()
                .filter(
                        rule ->
                                !mentions(
                                        rule, List.of("clip(2", "clipping(tau=2", "gossip(tau=2")))
                .filter(rule -> !rule.equals("centered-clipping") && !AT_LENGTH_ONE.contains(rule))
                .toList();
    }

    /** Mixing makes equal rows; Krum's ties between them go to the lowest, so order matters. */
    static List<String> withoutTies() {
        return rules().stream()
                .filter(rule -> !(rule.contains("nnm") && rule.contains("krum")))
                .filter(rule -> !mentions(rule, ABOUT_ORDER))
                .toList();
    }

    private static boolean mentions(String rule, List<String> names) {
        return names.stream().anyMatch(rule::contains);
    }

    /** A random round within the rule's limit. */
    private record Sample(Rule rule, Random random, int n, int f) {
        static Sample of(String name, int seed) {
            Random random = new Random(seed);
            Rule rule = Rules.parse(name);
            int f = random.nextInt(4);
            int least = Math.max(rule.minimumRows(f), f + 1);
            return new Sample(rule, random, least + random.nextInt(5), f);
        }

        float[] aggregate(float[][] rows) {
            return Rules.aggregate(rule, rows, f, 7);
        }
    }

    @ParameterizedTest
    @MethodSource("withoutTies")
    void orderOfRowsDoesNotMatter(String name) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Sample sample = Sample.of(name, seed);
            float[][] rows = Samples.normal(sample.random, sample.n, 40);
            int[] order = Samples.permutation(sample.random, sample.n);
            float[][] shuffled = new float[sample.n][];
            Arrays.setAll(shuffled, i -> rows[order[i]]);
            assertClose(sample.aggregate(shuffled), sample.aggregate(rows), 1e-6, seed);
        }
    }

    @ParameterizedTest
    @MethodSource("translatable")
    void translationMovesTheResultAlong(String name) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Sample sample = Sample.of(name, seed);
            float[][] rows = Samples.normal(sample.random, sample.n, 40);
            float[] shift = Samples.normal(sample.random, 1, 40)[0];
            float[][] moved = Samples.copy(rows);
            for (float[] row : moved) {
                for (int i = 0; i < row.length; i++) {
                    row[i] += shift[i];
                }
            }
            float[] expected = sample.aggregate(rows);
            for (int i = 0; i < expected.length; i++) {
                expected[i] += shift[i];
            }
            assertClose(sample.aggregate(moved), expected, 1e-5, seed);
        }
    }

    /** Negative scale swaps the lower and the upper median. */
    @ParameterizedTest
    @MethodSource("scalable")
    void scaleScalesTheResult(String name) {
        float factor = name.contains("lower") || name.contains("garfield") ? 8 : -8;
        for (int seed = 0; seed < SEEDS; seed++) {
            Sample sample = Sample.of(name, seed);
            float[][] rows = Samples.normal(sample.random, sample.n, 40);
            float[][] scaled = Samples.copy(rows);
            for (float[] row : scaled) {
                for (int i = 0; i < row.length; i++) {
                    row[i] *= factor;
                }
            }
            float[] expected = sample.aggregate(rows);
            for (int i = 0; i < expected.length; i++) {
                expected[i] *= factor;
            }
            assertClose(sample.aggregate(scaled), expected, 1e-6, seed);
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void equalRowsGiveThatRow(String name) {
        assumeThat(AT_LENGTH_ONE).as("a rule that keeps lengths").doesNotContain(name);
        for (int seed = 0; seed < SEEDS; seed++) {
            Sample sample = Sample.of(name, seed);
            float[] row = {0.25f, -0.5f, 0, 1e-30f, 0.75f};
            float[][] rows = new float[sample.n][];
            Arrays.fill(rows, row);
            assertThat(sample.aggregate(rows)).as("seed %d", seed).containsExactly(row);
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void inputsAreUntouchedAndResultsRepeat(String name) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Sample sample = Sample.of(name, seed);
            float[][] rows = Samples.hard(sample.random, sample.n, 300);
            float[][] before = Samples.copy(rows);
            float[] first = sample.aggregate(rows);
            for (int r = 0; r < rows.length; r++) {
                int row = r;
                assertThat(Arrays.equals(rows[r], before[r]))
                        .as(() -> "row " + row + " untouched")
                        .isTrue();
            }
            assertThat(Arrays.mismatch(sample.aggregate(before), first))
                    .as("first difference, seed %d", seed)
                    .isEqualTo(-1);
            assertThat(first).isNotSameAs(rows[0]);
        }
    }

    /** With at most f rows far away or no numbers at all, the result stays among the others. */
    @ParameterizedTest
    @MethodSource("robust")
    void aMinorityDoesNotMoveTheResultAway(String name) {
        float[] lies = {
            Float.NaN,
            Float.intBitsToFloat(0xffc00000),
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            3e38f,
            -1e20f,
            1e6f
        };
        for (int seed = 0; seed < SEEDS; seed++) {
            Sample sample = Sample.of(name, seed);
            Random random = sample.random;
            float[][] rows = Samples.normal(random, sample.n, 30);
            int[] order = Samples.permutation(random, sample.n);
            for (int a = 0; a < sample.f; a++) {
                float[] row = rows[order[a]];
                if (random.nextBoolean()) {
                    Arrays.fill(row, lies[random.nextInt(lies.length)]);
                } else {
                    row[random.nextInt(row.length)] = lies[random.nextInt(lies.length)];
                    row[random.nextInt(row.length)] = lies[random.nextInt(lies.length)];
                }
            }
            for (float x : sample.aggregate(rows)) {
                assertThat(x).as("seed %d", seed).isBetween(-5f, 5f);
            }
        }
    }

    /**
     * Zeros of both signs, denormals, the largest floats, rows that are equal: no NaN comes of it.
     */
    @ParameterizedTest
    @MethodSource("rules")
    void finiteRowsGiveAFiniteResult(String name) {
        float[] extremes = {0, -0f, Float.MIN_VALUE, -1e-40f, 1e38f, -1e38f, 3e38f, -3e38f};
        for (int seed = 0; seed < SEEDS; seed++) {
            Sample sample = Sample.of(name, seed);
            Random random = sample.random;
            int d = 1 + random.nextInt(20);
            float[][] rows = Samples.normal(random, sample.n, d);
            for (int r = 0; r < sample.n; r++) {
                int share = random.nextInt(4);
                for (int i = 0; i < d; i++) {
                    if (random.nextInt(4) < share) {
                        rows[r][i] = extremes[random.nextInt(extremes.length)];
                    }
                }
                if (r > 0 && random.nextInt(4) == 0) {
                    rows[r] = rows[random.nextInt(r)].clone();
                }
            }
            for (float x : sample.aggregate(rows)) {
                assertThat(x).as("seed %d", seed).isFinite();
            }
        }
    }

    /** Whole vectors and blocks measured row by row as they arrive: the same bits. */
    @ParameterizedTest
    @MethodSource("rules")
    void blocksAndArrivalOrderDoNotMatter(String name) {
        Sample sample = Sample.of(name, 3);
        int d = 2 * Blocks.SIZE + 4097;
        float[][] rows = new float[sample.n][d];
        for (int r = 0; r < sample.n; r++) {
            for (int i = 0; i < d; i++) {
                rows[r][i] = Draws.uniformFloat(r, i) - 0.5f;
            }
        }
        float[] whole = sample.aggregate(rows);
        float[] blocks = new BlockwiseRound(sample.rule, sample.f, 7).aggregate(rows);
        assertThat(Arrays.mismatch(blocks, whole)).as("first difference").isEqualTo(-1);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void fewRowsWillDoWithoutFaults(String name) {
        Rule rule = Rules.parse(name);
        int least = rule.minimumRows(0);
        assertThat(least).isLessThanOrEqualTo(3);
        float[][] rows = Samples.normal(new Random(1), least, 10);
        for (float x : Rules.aggregate(rule, rows, 0, 1)) {
            assertThat(x).isFinite();
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void tooFewRowsAreRefused(String name) {
        Rule rule = Rules.parse(name);
        for (int f = 0; f < 5; f++) {
            int tooFew = rule.minimumRows(f) - 1;
            if (tooFew > 0) {
                assertThatThrownBy(() -> Rules.aggregate(rule, new float[tooFew][1], 4, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith(name + " needs n ≥ ")
                        .hasMessageEndingWith("got " + tooFew);
            }
        }
    }

    /** Limits are computed without overflow: such an f never becomes a small one. */
    @ParameterizedTest
    @MethodSource("rules")
    void anyFOfNOrMoreIsRefused(String name) {
        Rule rule = Rules.parse(name);
        for (int f : new int[] {3, 600_000_000, 1_073_741_823, 1 << 30, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> Rules.aggregate(rule, new float[3][2], f, 1))
                    .as("f = %d", f)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("with f = " + f + " that is ")
                    .hasMessageEndingWith("got 3");
        }
        assertThatThrownBy(() -> rule.check(3, -1)).hasMessage("f must not be negative, got -1");
    }

    /** A rule must build its maps so that they work on mixed rows as well. */
    @ParameterizedTest
    @MethodSource("rules")
    void clippingThatClipsNothingChangesNothing(String name) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Sample sample = Sample.of(name, seed);
            float[][] rows = Samples.normal(sample.random, sample.n, 20);
            Rule behind = Rules.parse("clip(1e30) | " + name);
            assertThat(Rules.aggregate(behind, rows, sample.f, 7))
                    .as("seed %d", seed)
                    .isEqualTo(sample.aggregate(rows));
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void rulesTravel(String name) throws Exception {
        Rule rule = Rules.parse(name);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(rule);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(rule);
        }
    }

    private static void assertClose(float[] actual, float[] expected, double tolerance, int seed) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat((double) actual[i])
                    .as("coordinate %d, seed %d", i, seed)
                    .isCloseTo(expected[i], within(tolerance * (1 + Math.abs(expected[i]))));
        }
    }
}
