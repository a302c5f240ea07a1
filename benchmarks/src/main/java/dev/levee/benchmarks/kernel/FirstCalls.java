package dev.levee.benchmarks.kernel;

import dev.levee.benchmarks.FreshProcess;
import dev.levee.gar.Aggregator;
import dev.levee.gar.Rules;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures the first calls of a rule in a fresh process, and the fastest call within some seconds.
 * The first call comes at once, while the compiler is working, or after a pause as long as a
 * cluster takes to start, during which kernels are compiled. Times are processor times of the
 * calling thread.
 *
 * <p>Argument: the number of processes per rule, 10 by default.
 */
public final class FirstCalls {
    private record Shape(String rule, int n, int d, int f) {}

    private static final List<Shape> SHAPES =
            List.of(
                    new Shape("average", 11, 79_510, 0),
                    new Shape("median", 11, 79_510, 3),
                    new Shape("trimmed-mean", 11, 79_510, 3),
                    new Shape("multi-krum", 11, 79_510, 3),
                    new Shape("median", 25, 400_000, 5));

    private static final int[] CALLS = {1, 2, 5, 10, 20, 50};
    private static final Duration TIME = Duration.ofSeconds(6);
    private static final double ALLOWED = 1.3;

    /**
     * Seconds between creating the rule and its first call: none, and the time of a cluster's
     * start.
     */
    private static final int[] PAUSES = {0, 3};

    private FirstCalls() {}

    /** Runs all processes; with a shape and a pause as arguments, runs the part of one process. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 5) {
            measure(
                    new Shape(
                            args[0],
                            Integer.parseInt(args[1]),
                            Integer.parseInt(args[2]),
                            Integer.parseInt(args[3])),
                    Duration.ofSeconds(Integer.parseInt(args[4])));
            return;
        }
        int processes = args.length == 0 ? 10 : Integer.parseInt(args[0]);
        System.out.println(
                "nanoseconds per element of call 1, 2, 5, 10, 20, 50 (median of "
                        + processes
                        + " processes), of the fastest call, and processes whose calls 10 to 50"
                        + " have a median of at most "
                        + ALLOWED
                        + " times that");
        for (int pause : PAUSES) {
            for (Shape shape : SHAPES) {
                print(shape, pause, processes);
            }
        }
    }

    private static void print(Shape shape, int pause, int processes)
            throws IOException, InterruptedException {
        double[][] figures = new double[processes][];
        for (int p = 0; p < processes; p++) {
            figures[p] = child(shape, pause);
        }
        StringBuilder line =
                new StringBuilder(
                        "| %s, %d, %d | %d s |"
                                .formatted(shape.rule(), shape.n(), shape.d(), pause));
        for (int column = 0; column <= CALLS.length; column++) {
            int at = column;
            double[] all = Arrays.stream(figures).mapToDouble(each -> each[at]).toArray();
            line.append(String.format(Locale.ROOT, " %.2f |", median(all)));
        }
        long good =
                Arrays.stream(figures)
                        .filter(each -> each[CALLS.length + 1] <= ALLOWED * each[CALLS.length])
                        .count();
        System.out.println(line.append(" ").append(good).append(" |"));
    }

    private static void measure(Shape shape, Duration pause) throws InterruptedException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        float[][] rows = KernelWork.rows(shape.n(), shape.d());
        Aggregator rule = new Aggregator(Rules.parse(shape.rule()), shape.f(), 1);
        Thread.sleep(pause.toMillis());
        double[] first = new double[CALLS[CALLS.length - 1]];
        double least = Double.MAX_VALUE;
        long begin = System.nanoTime();
        for (int call = 0;
                call < first.length || System.nanoTime() - begin < TIME.toNanos();
                call++) {
            long before = threads.getCurrentThreadCpuTime();
            rule.aggregate(rows);
            double nanos =
                    (threads.getCurrentThreadCpuTime() - before) / ((double) shape.n() * shape.d());
            least = Math.min(least, nanos);
            if (call < first.length) {
                first[call] = nanos;
            }
        }
        StringBuilder line = new StringBuilder();
        for (int call : CALLS) {
            line.append(first[call - 1]).append(' ');
        }
        double later = median(Arrays.copyOfRange(first, 9, first.length));
        System.out.println(line.append(least).append(' ').append(later));
    }

    private static double[] child(Shape shape, int pause) throws IOException, InterruptedException {
        String line =
                FreshProcess.lastLine(
                        FirstCalls.class, shape.rule(), shape.n(), shape.d(), shape.f(), pause);
        return Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
