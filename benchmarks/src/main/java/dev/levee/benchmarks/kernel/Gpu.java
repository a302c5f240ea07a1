package dev.levee.benchmarks.kernel;

import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.Spread;
import dev.levee.gar.Aggregator;
import dev.levee.gar.Device;
import dev.levee.gar.Rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Compares aggregation of whole vectors in memory on one thread, on all processors and on a GPU,
 * alternately. The time of the GPU includes copies to and from it. Without a GPU, only the
 * processors are measured. The default rows take a gigabyte, which needs LEVEE_JAVA_OPTS=-Xmx3g.
 */
public final class Gpu {
    private static final int TURNS = 5;
    private static final int FAULTY = 5;

    /** The aggregate of krum is one of the rows, so its time is that of the distances. */
    private static final List<String> RULES =
            List.of("average", "median", "trimmed-mean", "krum", "multi-krum");

    /** Numbers of rows and coordinates; each size takes a gigabyte. */
    private static final int[][] SIZES = {{25, 10_000_000}, {100, 2_500_000}, {200, 1_250_000}};

    private Gpu() {}

    /** Arguments: a number of rows and of coordinates (three sizes). */
    public static void main(String[] args) {
        Machine.print();
        boolean gpu = works();
        int[][] sizes =
                args.length == 0
                        ? SIZES
                        : new int[][] {{Integer.parseInt(args[0]), Integer.parseInt(args[1])}};
        int processors = Runtime.getRuntime().availableProcessors();
        for (int[] size : sizes) {
            float[][] rows = rows(size[0], size[1]);
            System.out.printf(
                    "%n%d rows of %,d coordinates, f = %d, milliseconds, medians of %d turns%n%n",
                    size[0], size[1], FAULTY, TURNS);
            System.out.printf(
                    "| rule | 1 thread | %d threads | gpu | threads / gpu | same bits |%n",
                    processors);
            System.out.printf("|---|---|---|---|---|---|%n");
            for (String rule : RULES) {
                measure(rule, rows, processors, gpu);
            }
        }
    }

    private static boolean works() {
        try {
            aggregator("median").on(Device.GPU);
            return true;
        } catch (IllegalArgumentException none) {
            System.out.println("NO GPU, so only the processors are measured: " + none.getMessage());
            return false;
        }
    }

    private static void measure(String rule, float[][] rows, int processors, boolean gpu) {
        List<Aggregator> ways = new ArrayList<>();
        ways.add(aggregator(rule));
        ways.add(aggregator(rule).threads(processors));
        if (gpu) {
            ways.add(aggregator(rule).on(Device.GPU));
        }
        double[][] times = new double[ways.size()][TURNS];
        boolean same = true;
        for (int turn = -1; turn < TURNS; turn++) {
            float[] first = null;
            for (int way = 0; way < ways.size(); way++) {
                long start = System.nanoTime();
                float[] result = ways.get(way).aggregate(rows);
                double took = (System.nanoTime() - start) / 1e6;
                first = first == null ? result : first;
                same &= Arrays.equals(first, result);
                if (turn >= 0) {
                    times[way][turn] = took;
                }
            }
        }
        double one = Spread.median(Arrays.stream(times[0]));
        double all = Spread.median(Arrays.stream(times[1]));
        double device = gpu ? Spread.median(Arrays.stream(times[2])) : Double.NaN;
        System.out.printf(
                Locale.ROOT,
                "| %s | %.1f | %.1f | %.1f | %.2f | %s |%n",
                rule,
                one,
                all,
                device,
                all / device,
                same ? "yes" : "NO");
    }

    private static Aggregator aggregator(String rule) {
        return new Aggregator(Rules.parse(rule), FAULTY, 1);
    }

    private static float[][] rows(int n, int d) {
        Random random = new Random(1);
        float[][] rows = new float[n][d];
        for (float[] row : rows) {
            for (int i = 0; i < d; i++) {
                row[i] = random.nextFloat() - 0.5f;
            }
        }
        return rows;
    }
}
