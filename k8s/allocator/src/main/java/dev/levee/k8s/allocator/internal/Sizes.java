package dev.levee.k8s.allocator.internal;

import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Measurement;

import java.util.Arrays;

/**
 * The numbers of workers that a job may have: 1, 2, whole nodes, its minimum and maximum, and its
 * current number. With few sizes, each is tried often and measured soon; whole nodes leave no
 * fragments.
 *
 * @param workers the numbers, ascending
 * @param tried how many of these, from the first, the job may get now. The others serve to estimate
 *     the future value of its work, and are used if slots are left over
 */
public record Sizes(int[] workers, int tried) {
    /** The factor by which a job may exceed the largest measured number of workers. */
    private static final int GROWTH = 4;

    /**
     * If the size of nodes is unknown, every size up to this number is allowed; beyond it, only
     * multiples of {@link #STEP}.
     */
    private static final int SMALL = 8;

    private static final int STEP = 4;

    /**
     * The sizes of a job.
     *
     * @param slotsPerNode slots per node; 0 if unknown
     */
    public static Sizes of(JobView job, int slotsPerNode, int slots) {
        int least = job.least();
        int most = Math.max(least, Math.min(job.mostAtAnyBatch(), slots));
        int present = Math.min(job.workers(), most);
        int measured = 0;
        for (Measurement each : job.memory().history()) {
            measured = Math.max(measured, each.workers());
        }
        int bound = Math.max(Math.max(least, present), saturated(GROWTH * (long) measured));
        int outlook = Math.min(most, saturated((long) GROWTH * bound));
        int[] sizes = new int[outlook - least + 1];
        int count = 0;
        for (int more = 0; more <= outlook - least; more++) {
            int n = least + more;
            if (n == least || n == present || n == most || usual(n, slotsPerNode)) {
                sizes[count++] = n;
            }
        }
        int tried = 0;
        while (tried < count && sizes[tried] <= bound) {
            tried++;
        }
        return new Sizes(Arrays.copyOf(sizes, count), tried);
    }

    private static boolean usual(int n, int slotsPerNode) {
        if (slotsPerNode == 0) {
            return n <= SMALL || n % STEP == 0;
        }
        return n <= 2 || n % slotsPerNode == 0;
    }

    private static int saturated(long value) {
        return (int) Math.min(Integer.MAX_VALUE, value);
    }
}
