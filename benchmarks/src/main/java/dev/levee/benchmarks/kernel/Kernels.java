package dev.levee.benchmarks.kernel;

import dev.levee.benchmarks.Machine;
import dev.levee.gar.Aggregator;
import dev.levee.gar.Rules;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares the aggregation kernels with the streaming limit, alternately in one run, and two
 * threads with one; see {@link KernelWork}. JMH runs in this process, so that all shapes use warm
 * kernels, as in training.
 */
public final class Kernels {
    private static final String ONE_THREAD =
            "limit|mean|median|trimmedMean|meamed|phocas|distances";
    private static final String RULES =
            "ruleMedian|ruleMultiKrum|ruleNnmMean|ruleNnmMedian|ruleBulyan";
    private static final List<String> OPERATIONS = List.of(ONE_THREAD.split("\\|"));
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    private Kernels() {}

    /**
     * Arguments: dimensions to measure with up to 51 rows (1e6 1e7), followed by the shapes of
     * {@link ManyRows}; or {@code many} for those shapes only.
     */
    public static void main(String[] args) throws Exception {
        Machine.print();
        warmUp();
        boolean many = args.length == 1 && args[0].equals("many");
        if (!many) {
            few(
                    args.length == 0
                            ? new int[] {1_000_000, 10_000_000}
                            : Arrays.stream(args).mapToInt(Integer::parseInt).toArray());
        }
        if (many || args.length == 0) {
            ManyRows.print(Path.of(System.getProperty("levee.home", ".")));
        }
    }

    private static void few(int[] dimensions) throws Exception {
        System.out.printf(
                "one thread, medians; the streaming limit in ms, then multiples of it%n%n");
        System.out.printf("| d | n | %s |%n", String.join(" | ", OPERATIONS));
        System.out.printf("|---|---%s|%n", "|---".repeat(OPERATIONS.size()));
        for (int d : dimensions) {
            for (int n : new int[] {5, 11, 25, 51}) {
                Map<String, Double> times = measure(ONE_THREAD, n, d, 1);
                System.out.printf(Locale.ROOT, "| %.0e | %d |", (double) d, n);
                double limit = times.get("limit");
                System.out.printf(Locale.ROOT, " %.2f ms |", limit);
                for (String operation : OPERATIONS.subList(1, OPERATIONS.size())) {
                    double ms = times.get(operation);
                    System.out.printf(Locale.ROOT, " %.2f ms, %.2f |", ms, ms / limit);
                }
                System.out.println();
            }
        }
        System.out.printf("%nwhole rules, n = 20, d = 1e6%n%n");
        System.out.printf(
                "| rule | one thread, ms | two threads, ms | ratio |%n|---|---|---|---|%n");
        Map<String, Double> one = measure(RULES, 20, 1_000_000, 1);
        Map<String, Double> two = measure(RULES, 20, 1_000_000, 2);
        one.forEach(
                (rule, ms) ->
                        System.out.printf(
                                Locale.ROOT,
                                "| %s | %.2f | %.2f | %.2f |%n",
                                rule,
                                ms,
                                two.get(rule),
                                ms / two.get(rule)));
    }

    /** Aggregates until the vector kernels are compiled. */
    private static void warmUp() {
        float[][] rows = KernelWork.rows(9, 200_000);
        long end = System.nanoTime() + WARM_UP.toNanos();
        while (System.nanoTime() < end) {
            for (String rule : List.of("average", "trimmed-mean", "meamed", "multi-krum")) {
                new Aggregator(Rules.parse(rule), 1, 1).aggregate(rows);
            }
        }
    }

    private static Map<String, Double> measure(String operations, int n, int d, int threads)
            throws Exception {
        Options options =
                new OptionsBuilder()
                        .include("KernelWork\\.(" + operations + ")$")
                        .param("n", Integer.toString(n))
                        .param("d", Integer.toString(d))
                        .param("threads", Integer.toString(threads))
                        .forks(0)
                        .warmupIterations(1)
                        .warmupTime(TimeValue.milliseconds(500))
                        .measurementIterations(3)
                        .measurementTime(TimeValue.milliseconds(500))
                        .verbosity(VerboseMode.SILENT)
                        .build();
        Map<String, Double> medians = new TreeMap<>();
        for (RunResult result : new Runner(options).run()) {
            medians.put(
                    result.getPrimaryResult().getLabel(),
                    result.getPrimaryResult().getStatistics().getPercentile(50));
        }
        return medians;
    }
}
