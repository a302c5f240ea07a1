package dev.levee.k8s.allocator.internal;

import java.util.Arrays;

/**
 * The values of the sizes that a job may have.
 *
 * @param workers number of workers of each size; the first is the smallest, and may be 0
 * @param classes the slowest class of slots of each size; 0 is the fastest
 * @param units number of slots of the fastest class that would compute as much as each size
 * @param values the value of each size
 */
public record Offer(int[] workers, int[] classes, double[] units, double[] values) {
    /** An offer for equal slots. */
    public Offer(int[] workers, double[] values) {
        this(
                workers,
                new int[workers.length],
                Arrays.stream(workers).asDoubleStream().toArray(),
                values);
    }

    /** The size with the largest value minus price; the one with the fewest units among equals. */
    int best(double[] prices) {
        return best(prices, 0);
    }

    /** As {@link #best(double[])}, among the sizes from index {@code from}. */
    public int best(double[] prices, int from) {
        int best = from;
        for (int i = from + 1; i < workers.length; i++) {
            if (surplus(prices, i) > surplus(prices, best)) {
                best = i;
            }
        }
        return best;
    }

    private double surplus(double[] prices, int size) {
        return values[size] - prices[classes[size]] * workers[size];
    }

    /** The larger size that fits and adds most value per unit; −1 if there is none. */
    int steepest(int from, FreeSlots freeSlots) {
        int best = -1;
        double most = 0;
        for (int i = 0; i < workers.length; i++) {
            if (units[i] > units[from] && freeSlots.fits(this, from, i)) {
                double each = slope(from, i);
                if (each > most) {
                    most = each;
                    best = i;
                }
            }
        }
        return best;
    }

    /** The value that each additional unit adds between two sizes. */
    double slope(int from, int to) {
        return (values[to] - values[from]) / (units[to] - units[from]);
    }
}
