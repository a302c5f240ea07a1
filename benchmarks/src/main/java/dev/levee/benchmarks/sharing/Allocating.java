package dev.levee.benchmarks.sharing;

import dev.levee.benchmarks.Machine;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.allocator.SlotClass;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.policy.Policies;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures how long the elastic allocator takes to decide: first in a cold JVM, then the median.
 */
public final class Allocating {
    private static final int[][] SIZES = {{100, 1000}, {10_000, 100_000}};
    private static final int SLOTS_PER_NODE = 4;
    private static final int DECISIONS = 31;
    private static final Instant NOW = Instant.ofEpochSecond(10_000);

    private Allocating() {}

    /** Arguments: names of policies ({@code era}, {@code era-curve} and the default policy). */
    public static void main(String[] args) {
        Machine.print();
        System.out.println("| policy | jobs | slots | first, ms | median, ms |");
        System.out.println("|---|---|---|---|---|");
        for (String name :
                args.length == 0 ? List.of("era", "era-curve", Policies.DEFAULT) : List.of(args)) {
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

    /**
     * Jobs that are half finished, with eight measurements each, and a noise scale of 3000 samples.
     */
    private static Snapshot snapshot(int jobs, int slots) {
        List<JobView> views = new ArrayList<>();
        for (int j = 0; j < jobs; j++) {
            List<Measurement> history = new ArrayList<>();
            for (int n = 1; n <= 8; n++) {
                double speed = 10 + (5 + j % 7) * n;
                int nodes = (n + SLOTS_PER_NODE - 1) / SLOTS_PER_NODE;
                history.add(new Measurement(NOW, n, 16, speed, 0.9, 0.5, 1, nodes, 1));
            }
            JobSpec spec =
                    new JobSpec(
                            "job-" + j,
                            Instant.ofEpochSecond(j),
                            new JobBounds(1, 64, 2, 16, 1 << 20, 0.1));
            JobMemory memory = new JobMemory(history, 0, Integer.MAX_VALUE, 0, NOW, 1 + j % 8);
            views.add(
                    new JobView(
                            spec,
                            1 + j % 8,
                            Integer.MAX_VALUE,
                            16,
                            memory,
                            Double.NaN,
                            Double.NaN,
                            new Progress(1000 + j, 1000 + j, 3000)));
        }
        SlotClass equal = new SlotClass(1, slots, SLOTS_PER_NODE);
        return new Snapshot(NOW, List.of(equal), 3, views);
    }
}
