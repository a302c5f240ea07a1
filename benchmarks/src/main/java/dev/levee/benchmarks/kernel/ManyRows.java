package dev.levee.benchmarks.kernel;

import dev.levee.gar.Aggregator;
import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rules;
import dev.levee.gar.block.Span;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The part of {@link Kernels} with up to 10,000 rows, compared with NumPy, which computes the same
 * shape alternately. The fastest of several calls counts, in processor time, because the machine
 * may be shared.
 */
final class ManyRows {
    private static final int[][] SHAPES = {
        {5, 400_000},
        {20, 200_000},
        {50, 100_000},
        {64, 80_000},
        {65, 80_000},
        {100, 50_000},
        {128, 40_000},
        {256, 20_000},
        {300, 20_000},
        {1000, 4096},
        {3000, 4096},
        {10_000, 8192}
    };

    /** Maximum number of rows for rules that compare pairs of rows. */
    private static final int MOST_PAIRED = 1000;

    /** Maximum number of rows for the rule that repeatedly decomposes a matrix. */
    private static final int MOST_FLAG = 100;

    private static final List<String> PAIRED =
            List.of("geometric-median", "caf", "dnc", "nnm | trimmed-mean", "bulyan", "flag");

    private static final Duration TIME = Duration.ofMillis(1500);

    private ManyRows() {}

    /**
     * Prints both tables.
     *
     * @param home the repository, which contains the script for NumPy
     */
    static void print(Path home) throws IOException, InterruptedException {
        List<String> paired = new ArrayList<>();
        System.out.printf("%nnanoseconds an element, f = n/5%n%n");
        System.out.println(
                "| n | d | median | trimmed mean | meamed | Phocas | np.median | np.sort | np.sort,"
                        + " mean | np.sort / median | np.sort / trimmed mean |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|");
        for (int[] shape : SHAPES) {
            int n = shape[0];
            int d = shape[1];
            int f = n / 5;
            float[][] rows = KernelWork.rows(n, d);
            double all = (double) n * d;
            double[] own = {
                reduce(new Reduction.Median(false), rows) / all,
                reduce(new Reduction.TrimmedMean(f), rows) / all,
                reduce(new Reduction.MeanAroundMedian(n - f), rows) / all,
                reduce(new Reduction.MeanAroundTrimmedMean(f, n - f), rows) / all
            };
            double[] numpy = numpy(home, n, d);
            StringBuilder line = new StringBuilder("| %d | %d |".formatted(n, d));
            for (double nanos : own) {
                line.append(String.format(Locale.ROOT, " %.2f |", nanos));
            }
            for (int k = 0; k < 3; k++) {
                line.append(String.format(Locale.ROOT, " %.2f |", numpy[k] / all));
            }
            for (int k = 0; k < 2; k++) {
                line.append(String.format(Locale.ROOT, " %.1f |", numpy[1] / all / own[k]));
            }
            System.out.println(line);
            if (n <= MOST_PAIRED) {
                paired.add(paired(n, d, rows, numpy[3]));
            }
        }
        System.out.printf(
                "%nmilliseconds, and times X·Xᵀ, f = n/5 (bulyan: at most (n − 3)/4)%n%n");
        System.out.printf(
                "| n | d | X·Xᵀ, OpenBLAS | products | distances | %s |%n",
                String.join(" | ", PAIRED).replace(" | trimmed", ", trimmed"));
        System.out.println("|---|---|---|---|---" + "|---".repeat(PAIRED.size()) + "|");
        paired.forEach(System.out::println);
    }

    private static String paired(int n, int d, float[][] rows, double gram) {
        StringBuilder line = new StringBuilder("| %d | %d |".formatted(n, d));
        RowMap all = RowMap.identity(n, n);
        Span span = new Span(0, d, 1, 0);
        List<Double> times = new ArrayList<>(List.of(gram));
        for (Look look : List.of(new Look(true, false, true, List.of()), Look.DISTANCES)) {
            times.add(least(() -> BlockKernels.look(look, all, rows, null, span, d)));
        }
        for (String rule : PAIRED) {
            if (rule.equals("flag") && n > MOST_FLAG) {
                times.add(Double.NaN);
            } else {
                int f = rule.equals("bulyan") ? Math.min(n / 5, (n - 3) / 4) : n / 5;
                times.add(least(() -> new Aggregator(Rules.parse(rule), f, 1).aggregate(rows)));
            }
        }
        for (double nanos : times) {
            line.append(
                    Double.isNaN(nanos)
                            ? " – |"
                            : String.format(
                                    Locale.ROOT, " %.1f, %.1f |", nanos / 1e6, nanos / gram));
        }
        return line.toString();
    }

    private static double reduce(Reduction reduction, float[][] rows) {
        RowMap all = RowMap.identity(rows.length, rows.length);
        float[] out = new float[rows[0].length];
        return least(
                () ->
                        BlockKernels.reduce(
                                all, reduction, rows, null, List.of(), 0, out.length, out));
    }

    private static double least(Runnable work) {
        double least = Double.POSITIVE_INFINITY;
        long end = System.nanoTime() + TIME.toNanos();
        for (int call = 0; call < 3 || System.nanoTime() < end; call++) {
            long start = cpu();
            work.run();
            least = Math.min(least, cpu() - start);
        }
        return least;
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /**
     * Nanoseconds of np.median, np.sort, np.sort with the mean of the middle values, and X·Xᵀ; NaN
     * without NumPy.
     */
    private static double[] numpy(Path home, int n, int d)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        "python3",
                        home.resolve("benchmarks/kernels_numpy.py").toString(),
                        Integer.toString(n),
                        Integer.toString(d));
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        // This variable would make OpenBLAS use the instructions of another processor.
        builder.environment().remove("OPENBLAS_CORETYPE");
        Process process = builder.start();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            double[] unknown = new double[4];
            Arrays.fill(unknown, Double.NaN);
            return unknown;
        }
        return Arrays.stream(said.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }
}
