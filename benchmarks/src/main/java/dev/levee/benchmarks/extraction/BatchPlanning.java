package dev.levee.benchmarks.extraction;

import dev.levee.benchmarks.Machine;
import dev.levee.featureextraction.batch.BatchPlanner;
import dev.levee.featureextraction.batch.BatchRequest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Measures how long the storage tier takes to divide its memory among requests: the median of many
 * plans.
 */
public final class BatchPlanning {
    private static final int[] REQUESTS = {100, 1000, 10_000};
    private static final int PLANS = 400;
    private static final long BUDGET = 16L << 30;

    private BatchPlanning() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        Machine.print();
        System.out.println("| requests | ms | µs per request |\n|---|---|---|");
        for (int count : REQUESTS) {
            double seconds = seconds(requests(count));
            System.out.printf(
                    "| %d | %.3f | %.2f |%n", count, seconds * 1e3, seconds * 1e6 / count);
        }
    }

    private static double seconds(List<BatchRequest> waiting) {
        long[] nanos = new long[PLANS];
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            BatchPlanner.DEFAULT.plan(waiting, BUDGET, BUDGET);
            nanos[i] = System.nanoTime() - start;
        }
        // Only the second half counts, because the code is compiled during the first.
        long[] late = Arrays.copyOfRange(nanos, nanos.length / 2, nanos.length);
        Arrays.sort(late);
        return late[late.length / 2] / 1e9;
    }

    private static List<BatchRequest> requests(int count) {
        Random random = new Random(3);
        List<BatchRequest> waiting = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waiting.add(
                    new BatchRequest(
                            "r" + i,
                            "t" + random.nextInt(10),
                            random.nextInt(1000),
                            200_000 + random.nextInt(1_000_000),
                            10_000_000 + random.nextInt(100_000_000),
                            100 + random.nextInt(2000),
                            0));
        }
        return waiting;
    }
}
