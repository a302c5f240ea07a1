package dev.levee.k8s.allocator.internal;

import dev.levee.k8s.allocator.SlotClass;

import java.util.Arrays;
import java.util.List;

/**
 * The sizes that a job may have: numbers of workers, each with the slowest class of slots. The
 * sizes that the job may get now come first, then the others; each part is sorted by units.
 *
 * @param workers number of workers of each size
 * @param classes the slowest class of slots of each size; 0 is the fastest
 * @param units number of slots of the fastest class that would compute as much: workers × relative
 *     speed
 * @param tried number of sizes, from the first, that the job may get now
 */
public record SizeOptions(int[] workers, int[] classes, double[] units, int tried) {
    private record Option(int workers, int slotClass, double units, boolean later)
            implements Comparable<Option> {
        @Override
        public int compareTo(Option other) {
            if (later != other.later) {
                return later ? 1 : -1;
            }
            int more = Double.compare(units, other.units);
            return more != 0 ? more : Integer.compare(workers, other.workers);
        }
    }

    /** Options for equal slots. */
    static SizeOptions equal(int[] workers, int tried) {
        return new SizeOptions(
                workers,
                new int[workers.length],
                Arrays.stream(workers).asDoubleStream().toArray(),
                tried);
    }

    /**
     * Combines each size with each class that, together with all faster classes, has room for it.
     *
     * @param classes the classes of slots, fastest first
     */
    public static SizeOptions of(Sizes sizes, List<SlotClass> classes) {
        if (classes.size() == 1) {
            return equal(sizes.workers(), sizes.tried());
        }
        Option[] all = new Option[sizes.workers().length * classes.size()];
        int count = 0;
        int tried = 0;
        int room = 0;
        for (int c = 0; c < classes.size(); c++) {
            room += classes.get(c).slots();
            boolean slowest = c == classes.size() - 1;
            double speed = classes.get(c).speed() / classes.get(0).speed();
            for (int i = 0; i < sizes.workers().length; i++) {
                int workers = sizes.workers()[i];
                if (workers <= room || slowest) {
                    boolean later = i >= sizes.tried();
                    all[count++] = new Option(workers, c, workers * speed, later);
                    tried += later ? 0 : 1;
                }
            }
        }
        Arrays.sort(all, 0, count);
        SizeOptions options =
                new SizeOptions(new int[count], new int[count], new double[count], tried);
        for (int i = 0; i < count; i++) {
            options.workers[i] = all[i].workers();
            options.classes[i] = all[i].slotClass();
            options.units[i] = all[i].units();
        }
        return options;
    }
}
