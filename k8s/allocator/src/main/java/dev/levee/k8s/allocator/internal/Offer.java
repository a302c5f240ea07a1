package dev.levee.k8s.allocator.internal;

import java.util.Arrays;

/**
 * The values of a job's sizes.
 *
 * @param workers sizes; the first is the least, and may be 0
 * @param classes the slowest class of slots that each may be in; 0 is the fastest
 * @param units slots of the fastest class that would compute as much as each
 * @param values the value of each
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

    /** The size worth most where slots of each class cost this much; the fewest units of those. */
    int best(double[] prices) {
        return best(prices, 0);
    }

    /** The same among sizes from this one on. */
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

    /** The larger size that adds most for each unit among those that fit; −1 if none. */
    int steepest(int from, Rooms rooms) {
        int best = -1;
        double most = 0;
        for (int i = 0; i < workers.length; i++) {
            if (units[i] > units[from] && rooms.fits(this, from, i)) {
                double each = slope(from, i);
                if (each > most) {
                    most = each;
                    best = i;
                }
            }
        }
        return best;
    }

    /** The value of each further unit between two sizes. */
    double slope(int from, int to) {
        return (values[to] - values[from]) / (units[to] - units[from]);
    }
}
