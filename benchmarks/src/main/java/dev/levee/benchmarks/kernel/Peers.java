package dev.levee.benchmarks.kernel;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Rules;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Levee's side of {@code kernels_peers.py}. It reads names of rules from standard input and answers
 * each with the processor time of one aggregation in milliseconds, on rows like those of {@link
 * Kernels}. Processor time is used because the machine may be shared.
 */
public final class Peers {
    private static final Duration WARM_UP = Duration.ofSeconds(30);

    private Peers() {}

    /** Arguments: the number of rows, of coordinates, f, and the rules to warm up. */
    public static void main(String[] args) throws IOException {
        float[][] rows = KernelWork.rows(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        int f = Integer.parseInt(args[2]);
        List<String> rules = List.of(args).subList(3, args.length);
        long end = cpu() + WARM_UP.toNanos();
        while (cpu() < end) {
            for (String rule : rules) {
                new Aggregator(Rules.parse(rule), f, 1).aggregate(rows);
            }
        }
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String rule = in.readLine(); rule != null; rule = in.readLine()) {
            Aggregator aggregator = new Aggregator(Rules.parse(rule), f, 1);
            long start = cpu();
            aggregator.aggregate(rows);
            System.out.printf(Locale.ROOT, "%.3f%n", (cpu() - start) / 1e6);
        }
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
