package dev.levee.benchmarks;

import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.policy.Policies;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How long the elastic allocator takes to decide: first in a cold JVM, then the median. */
public final class Allocating {
    private static final int[][] SIZES = {{100, 1000}, {10_000, 100_000}};
    private static final int DECISIONS = 31;
    private static final Instant NOW = Instant.ofEpochSecond(10_000);

    private Allocating() {}

    /** Takes names of policies, {@code era} and the default by default. */
    public static void main(String[] args) {
        Machine.print();
        System.out.println("| policy | jobs | slots | first, ms | median, ms |");
        System.out.println("|---|---|---|---|---|");
        for (String name : args.length == 0 ? List.of("era", Policies.DEFAULT) : List.of(args)) {
            for (int[] size : SIZES) {
                Policy policy = Policies.named(name, 240);
                Snapshot snapshot = snapshot(size[0], size[1]);
                double[] milliseconds = new double[DECISIONS];
                for (int i = 0; i < DECISIONS; i++) {
                    long start = System.nanoTime();
                    policy.decide(snapshot);
                    milliseconds[i] = (System.nanoTime() - start) / 1e6;
                }
                double first = milliseconds[0];
                Arrays.sort(milliseconds);
                System.out.printf(
                        Locale.ROOT,
                        "| %s | %d | %d | %.1f | %.1f |%n",
                        name,
                        size[0],
                        size[1],
                        first,
                        milliseconds[DECISIONS / 2]);
            }
        }
    }

    /** Jobs with eight measurements each. */
    private static Snapshot snapshot(int jobs, int slots) {
        List<JobView> views = new ArrayList<>();
        for (int j = 0; j < jobs; j++) {
            List<Measurement> history = new ArrayList<>();
            for (int n = 1; n <= 8; n++) {
                history.add(new Measurement(NOW, n, 16, 10 + (5 + j % 7) * n, 0.9, 0.5));
            }
            JobSpec spec =
                    new JobSpec("job-" + j, Instant.ofEpochSecond(j), 1, 64, 2, 16, 1 << 20, 0.1);
            JobMemory memory = new JobMemory(history, 0, Integer.MAX_VALUE, 0, NOW, 1 + j % 8);
            views.add(
                    new JobView(
                            spec,
                            1 + j % 8,
                            Integer.MAX_VALUE,
                            16,
                            memory,
                            Double.NaN,
                            Double.NaN));
        }
        return new Snapshot(NOW, slots, 3, views);
    }
}
