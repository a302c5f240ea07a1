package dev.levee.benchmarks;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Device;
import dev.levee.gar.Rules;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Aggregation of whole vectors in memory on the processor and on a GPU, copies to and from the GPU
 * included. The two take turns. Without a GPU it says so and measures the processor alone. The
 * usual rows take a gigabyte: LEVEE_JAVA_OPTS=-Xmx3g.
 */
public final class Gpu {
    private static final int TURNS = 5;
    private static final int FAULTY = 5;

    /** Krum's aggregate is a row as it is, so its time is that of the distances. */
    private static final List<String> RULES =
            List.of("average", "median", "trimmed-mean", "krum", "multi-krum");

    private Gpu() {}

    /** Takes the number of rows, 25 by default, and of coordinates, 10,000,000 by default. */
    public static void main(String[] args) {
        Machine.print();
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 25;
        int d = args.length > 1 ? Integer.parseInt(args[1]) : 10_000_000;
        boolean gpu = works();
        float[][] rows = rows(n, d);
        System.out.printf(
                "%d rows of %,d coordinates, f = %d, milliseconds, medians of %d turns%n%n",
                n, d, FAULTY, TURNS);
        System.out.printf("| rule | cpu | gpu | cpu / gpu | same bits |%n|---|---|---|---|---|%n");
        for (String rule : RULES) {
            measure(rule, rows, gpu);
        }
    }

    private static boolean works() {
        try {
            aggregator("median", Device.GPU);
            return true;
        } catch (IllegalArgumentException none) {
            System.out.println("NO GPU, so only the processor is measured: " + none.getMessage());
            return false;
        }
    }

    private static void measure(String rule, float[][] rows, boolean gpu) {
        double[] cpuTimes = new double[TURNS];
        double[] gpuTimes = new double[TURNS];
        boolean same = true;
        for (int turn = -1; turn < TURNS; turn++) {
            long start = System.nanoTime();
            float[] onCpu = aggregator(rule, Device.CPU).aggregate(rows);
            long middle = System.nanoTime();
            float[] onGpu = gpu ? aggregator(rule, Device.GPU).aggregate(rows) : onCpu;
            long end = System.nanoTime();
            same &= Arrays.equals(onCpu, onGpu);
            if (turn >= 0) {
                cpuTimes[turn] = (middle - start) / 1e6;
                gpuTimes[turn] = (end - middle) / 1e6;
            }
        }
        double cpu = median(cpuTimes);
        if (gpu) {
            double other = median(gpuTimes);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f | %.2f | %s |%n",
                    rule,
                    cpu,
                    other,
                    cpu / other,
                    same ? "yes" : "NO");
        } else {
            System.out.printf(Locale.ROOT, "| %s | %.1f | no GPU | – | – |%n", rule, cpu);
        }
    }

    private static Aggregator aggregator(String rule, Device device) {
        return new Aggregator(Rules.parse(rule), FAULTY, 1).on(device);
    }

    private static double median(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
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
