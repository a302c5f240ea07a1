package dev.levee.gar.internal.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Samples;
import dev.levee.gar.block.Span;
import dev.levee.gar.internal.Backend;
import dev.levee.gar.internal.CpuBackend;
import dev.levee.gar.internal.Kernels;
import dev.levee.gar.internal.PlainKernels;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What a backend that runs the kernels promises: the bits of the processor. */
abstract class BackendContract {
    static final Backend CPU = new CpuBackend(new PlainKernels());

    private static final List<Reference> ALL =
            List.of(Reference.ORIGIN, Reference.PREVIOUS, Reference.MEDIAN);

    /** The backend under test. */
    abstract GpuBackend gpu();

    /** Hard, scaled, tied and normal rows of every small number, and mixtures of them. */
    @Test
    void anyRowsGiveTheBitsOfTheProcessor() {
        for (int seed = 0; seed < 48; seed++) {
            Random random = new Random(seed);
            int n = seed < 34 ? seed + 1 : 1 + random.nextInt(70);
            int d = 1 + random.nextInt(seed % 8 < 2 ? Kernels.CHUNK + 40 : 200);
            float[][] rows =
                    switch (seed % 4) {
                        case 0 -> Samples.normal(random, n, d);
                        case 1 -> Samples.hard(random, n, d);
                        case 2 -> Samples.scaled(random, n, d);
                        default -> Samples.tied(random, n, d);
                    };
            float[] previous = seed % 3 == 0 ? null : Samples.hard(random, 1, d)[0];
            compare(gpu(), rows, previous, seed);
        }
    }

    /** A chunk whose float sum overflows or vanishes is summed again in double. */
    @Test
    void extremeScalesAreSummedAgain() {
        int d = Kernels.CHUNK + 17;
        float[][] rows = new float[4][d];
        Arrays.fill(rows[0], 3e38f);
        Arrays.fill(rows[1], -3e38f);
        Arrays.fill(rows[2], 1e-40f);
        Arrays.fill(rows[3], -1e-30f);
        compare(gpu(), rows, rows[1], 1);
        LookResult looked = look(gpu(), Look.DISTANCES, RowMap.identity(4, 4), rows, null);
        assertThat(looked.squaredDistance(0, 1)).isBetween(1e80, 2e81);
        assertThat(looked.squaredDistance(2, 3)).isBetween(1e-58, 1e-56);
    }

    /** What a rule does in one aggregation, on rows that stay on the device from look to look. */
    @Test
    void looksAndAReductionOfTheSameRowsGiveTheBitsOfTheProcessor() {
        for (int seed = 0; seed < 8; seed++) {
            Random random = new Random(seed);
            int n = 3 + random.nextInt(12);
            float[][] rows = Samples.normal(random, n, 2 * Kernels.CHUNK + 41);
            float[] previous = seed % 2 == 0 ? null : Samples.normal(random, 1, rows[0].length)[0];
            RowMap all = RowMap.identity(n, n + ALL.size());
            RowMap mixed = mixture(random, n, n);
            Look look = new Look(true, true, true, ALL);
            List<Object> seen = new ArrayList<>();
            for (Backend backend : List.of(CPU, gpu())) {
                float[] out = new float[rows[0].length];
                try (Backend.Work work = backend.on(rows, previous)) {
                    LookResult first = work.look(look, all, span(out.length));
                    LookResult second = work.look(look, mixed, span(out.length));
                    work.reduce(mixed, new Reduction.TrimmedMean(1), ALL, out);
                    seen.add(
                            List.of(
                                    Arrays.toString(first.squaredDistances()),
                                    Arrays.toString(first.innerProducts()),
                                    Arrays.toString(second.squaredDistances()),
                                    Arrays.toString(second.innerProducts()),
                                    Arrays.toString(out)));
                }
            }
            assertThat(seen.get(1)).as("seed %d", seed).isEqualTo(seen.get(0));
        }
    }

    @Test
    void whatIsWrongIsExplainedAsOnTheProcessor() {
        float[][] rows = {{1}, {2}};
        RowMap all = RowMap.identity(2, 2);
        assertThatThrownBy(() -> reduce(gpu(), all, new Reduction.TrimmedMean(1), rows, null))
                .hasMessage("cannot drop 1 values at each end of 2");
        assertThatThrownBy(
                        () ->
                                reduce(
                                        gpu(),
                                        RowMap.identity(6, 6),
                                        new Reduction.Mean(),
                                        rows,
                                        null))
                .hasMessageContaining("6 points");
    }

    /** Looks and reductions of the rows, of a selection and of a mixture with references. */
    static void compare(Backend gpu, float[][] rows, float[] previous, long seed) {
        Random random = new Random(seed);
        int n = rows.length;
        int chosen = 1 + random.nextInt(n);
        RowMap some = RowMap.select(random.ints(chosen, 0, n).toArray(), n + ALL.size());
        List<RowMap> maps =
                List.of(RowMap.identity(n, n + ALL.size()), some, mixture(random, n, chosen));
        for (RowMap map : maps) {
            for (Look look :
                    List.of(
                            new Look(true, true, true, ALL),
                            new Look(false, true, false, ALL),
                            new Look(true, false, true, ALL))) {
                LookResult expected = look(CPU, look, map, rows, previous);
                LookResult actual = look(gpu, look, map, rows, previous);
                assertThat(actual.points()).isEqualTo(expected.points());
                assertThat(actual.squaredDistances())
                        .as("distances, %s of %d rows, seed %d", look, n, seed)
                        .isEqualTo(expected.squaredDistances());
                assertThat(actual.innerProducts())
                        .as("products, %s of %d rows, seed %d", look, n, seed)
                        .isEqualTo(expected.innerProducts());
            }
            int k = map.outputs();
            int trim = random.nextInt((k + 1) / 2);
            int keep = 1 + random.nextInt(k);
            for (Reduction reduction :
                    List.of(
                            new Reduction.Mean(),
                            new Reduction.Median(false),
                            new Reduction.Median(true),
                            new Reduction.TrimmedMean(trim),
                            new Reduction.MeanAroundMedian(keep),
                            new Reduction.MeanAroundTrimmedMean(trim, keep))) {
                compare(gpu, map, reduction, rows, previous, seed);
            }
        }
    }

    static void compareMedian(Backend gpu, float[][] rows) {
        RowMap all = RowMap.identity(rows.length, rows.length);
        compare(gpu, all, new Reduction.Median(false), rows, null, 0);
    }

    static void compareDistances(Backend gpu, float[][] rows) {
        RowMap all = RowMap.identity(rows.length, rows.length);
        assertThat(look(gpu, Look.DISTANCES, all, rows, null).squaredDistances())
                .isEqualTo(look(CPU, Look.DISTANCES, all, rows, null).squaredDistances());
    }

    private static void compare(
            Backend gpu,
            RowMap map,
            Reduction reduction,
            float[][] rows,
            float[] previous,
            long seed) {
        float[] expected = reduce(CPU, map, reduction, rows, previous);
        float[] actual = reduce(gpu, map, reduction, rows, previous);
        assertThat(Arrays.mismatch(actual, expected))
                .as("%s to %d rows, first difference, seed %d", reduction, map.outputs(), seed)
                .isEqualTo(-1);
    }

    private static RowMap mixture(Random random, int n, int outputs) {
        double[][] weights = new double[outputs][n + ALL.size()];
        for (double[] output : weights) {
            for (int i = 0; i < output.length; i++) {
                output[i] = random.nextBoolean() ? 0 : random.nextDouble() - 0.3;
            }
        }
        return new RowMap(weights);
    }

    private static LookResult look(
            Backend backend, Look look, RowMap map, float[][] rows, float[] previous) {
        try (Backend.Work work = backend.on(rows, previous)) {
            return work.look(look, map, span(rows[0].length));
        }
    }

    private static float[] reduce(
            Backend backend, RowMap map, Reduction reduction, float[][] rows, float[] previous) {
        float[] out = new float[rows[0].length];
        try (Backend.Work work = backend.on(rows, previous)) {
            work.reduce(map, reduction, ALL, out);
        }
        return out;
    }

    private static Span span(int length) {
        return new Span(0, length, 1, 0);
    }

    /** A backend whose reductions are one off. */
    record Wrong(Backend right) implements Backend {
        @Override
        public Work on(float[][] rows, float[] previous) {
            return new WrongWork(right.on(rows, previous));
        }
    }

    private record WrongWork(Backend.Work right) implements Backend.Work {
        @Override
        public LookResult look(Look look, RowMap map, Span span) {
            return right.look(look, map, span);
        }

        @Override
        public void reduce(
                RowMap map, Reduction reduction, List<Reference> references, float[] out) {
            right.reduce(map, reduction, references, out);
            out[0]++;
        }

        @Override
        public void close() {
            right.close();
        }
    }
}
