package dev.levee.benchmarks.loop;

import dev.levee.benchmarks.Machine;
import dev.levee.operators.rounds.training.Training;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the live heap, and the processor time by kind of thread, of rounds in an embedded Flink,
 * for comparison with {@link RoundSize}.
 */
public final class RoundThreads {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** A dimension whose vectors take negligible memory. */
    private static final int SMALL = 1_000;

    private RoundThreads() {}

    /** Arguments: workers (at most 100), dimension, rule and rounds. */
    public static void main(String[] arguments) throws Exception {
        Machine.print();
        whole(
                Integer.parseInt(arguments[0]),
                Integer.parseInt(arguments[1]),
                arguments[2],
                Integer.parseInt(arguments[3]));
    }

    private static void whole(int workers, int dimension, String rule, int rounds)
            throws Exception {
        long least = live(RoundSize.training(workers, SMALL, rule, rounds / 4));
        Training training = RoundSize.training(workers, dimension, rule, rounds);
        System.out.printf(
                Locale.ROOT,
                "%nn = %d, d = %.3g, %s, %d rounds, 2 slots%nlive heap, most of samples: %.1f MB,"
                        + " beside %.1f with d = %d%n",
                workers,
                (double) dimension,
                rule,
                rounds,
                live(training) / 1e6,
                least / 1e6,
                SMALL);
        Map<Long, String> kinds = new HashMap<>();
        Map<Long, Long> nanos = new HashMap<>();
        sampled(
                training,
                5,
                () -> {
                    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
                        if (thread != null) {
                            long id = thread.getThreadId();
                            kinds.put(id, thread.getThreadName().replaceAll("[ -]?[(#\\d].*", ""));
                            nanos.merge(id, THREADS.getThreadCpuTime(id), Math::max);
                        }
                    }
                });
        Map<String, Double> sums = new TreeMap<>();
        nanos.forEach((id, took) -> sums.merge(kinds.get(id), took / 1e6 / rounds, Double::sum));
        System.out.println("\n| threads | ms of processor a round |\n|---|---|");
        sums.forEach(
                (kind, took) -> {
                    if (took > 0.05) {
                        System.out.printf(Locale.ROOT, "| %s | %.2f |%n", kind, took);
                    }
                });
    }

    private static long live(Training training) throws Exception {
        LongAccumulator most = new LongAccumulator(Math::max, 0);
        sampled(training, 200, () -> most.accumulate(RoundSize.used()));
        return most.get();
    }

    private static void sampled(Training training, int milliseconds, Runnable sample)
            throws Exception {
        Thread sampler =
                new Thread(
                        () -> {
                            while (!Thread.interrupted()) {
                                sample.run();
                                LockSupport.parkNanos(milliseconds * 1_000_000L);
                            }
                        });
        sampler.start();
        try {
            DataflowLoop.result(training, 2);
        } finally {
            sampler.interrupt();
            sampler.join();
        }
    }
}
