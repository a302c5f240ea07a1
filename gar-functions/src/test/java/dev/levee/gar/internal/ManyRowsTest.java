package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Rules;
import dev.levee.gar.Samples;
import dev.levee.gar.Step;
import dev.levee.gar.block.Span;
import dev.levee.gar.internal.vector.VectorKernels;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Rules with more rows than sorting networks and whole decompositions are for. */
class ManyRowsTest {
    private static final int ROWS = 81;
    private static final int F = 16;

    /** Those that do not try all subsets of rows. */
    static List<String> rules() {
        List<String> all = new ArrayList<>(Rules.names());
        all.removeAll(List.of("mda", "smea"));
        all.removeIf(name -> Rules.parse(name).needsScores());
        all.addAll(List.of("median(lower)", "nnm | trimmed-mean", "nnm | caf", "arc | meamed"));
        return all;
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("rules")
    void bothKernelsGiveTheSameBits(String name) {
        for (int seed = 0; seed < 3; seed++) {
            Random random = new Random(seed);
            int d = 1 + random.nextInt(100);
            float[][] rows =
                    seed == 0
                            ? Samples.normal(random, ROWS, d)
                            : seed == 1
                                    ? Samples.tied(random, ROWS, d)
                                    : Samples.hard(random, ROWS, d);
            assertThat(aggregate(new VectorKernels(), name, rows))
                    .as("%d rows, d = %d, seed %d", ROWS, d, seed)
                    .isEqualTo(aggregate(new PlainKernels(), name, rows));
        }
    }

    /** Of {@link #F} rows of infinities and NaN nothing is left in a rule per coordinate. */
    @ParameterizedTest
    @MethodSource("perCoordinate")
    void rowsThatAreNoNumbersAreSortedToTheEnds(String name) {
        Random random = new Random(3);
        int d = 50;
        float[][] rows = Samples.normal(random, ROWS, d);
        for (int r = 0; r < F; r++) {
            float[] bad = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};
            for (int i = 0; i < d; i++) {
                rows[r * 5][i] = bad[random.nextInt(3)];
            }
        }
        float[] result = aggregate(new VectorKernels(), name, rows);
        for (int i = 0; i < d; i++) {
            float[] honest = new float[ROWS - F];
            int count = 0;
            for (int r = 0; r < ROWS; r++) {
                if (r % 5 != 0 || r / 5 >= F) {
                    honest[count++] = rows[r][i];
                }
            }
            Arrays.sort(honest);
            assertThat(result[i]).as("coordinate %d", i).isBetween(honest[0], honest[count - 1]);
        }
    }

    static List<String> perCoordinate() {
        return List.of("median", "median(lower)", "trimmed-mean", "meamed", "phocas");
    }

    private static float[] aggregate(Kernels kernels, String name, float[][] rows) {
        Rule rule = Rules.parse(name);
        Round round = new Round(ROWS, F, 0, 5);
        rule.check(ROWS, F);
        float[] result = new float[rows[0].length];
        Span span = round.span(0, result.length);
        RowMap map = RowMap.identity(ROWS, ROWS);
        Look look = rule.look();
        try (Backend.Work work = new CpuBackend(kernels).on(rows, null)) {
            for (int phase = 0; ; phase++) {
                LookResult looked = work.look(look, map, span);
                Step step = rule.decide(phase, map, looked, round, RuleState.NONE);
                if (step instanceof Step.Reduce reduce) {
                    work.reduce(reduce.map(), reduce.reduction(), look.references(), result);
                    return result;
                }
                Step.LookAgain again = (Step.LookAgain) step;
                map = again.map();
                look = again.look();
            }
        }
    }
}
