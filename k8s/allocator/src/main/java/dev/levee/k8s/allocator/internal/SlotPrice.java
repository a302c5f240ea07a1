package dev.levee.k8s.allocator.internal;

import java.util.List;

/**
 * Finds the price of a slot-second, in seconds of a job. At this price, each job chooses its own
 * demand, and the sum of demands fits the cluster. The price of slower slots is reduced in
 * proportion to their speed.
 */
public final class SlotPrice {
    private static final double LOWEST = 1e-6;
    private static final double HIGHEST = 1e3;
    private static final int STEPS = 32;

    private SlotPrice() {}

    /**
     * The lowest price at which demand fits the slots; the highest price considered if there is
     * none.
     *
     * @param units number of slots, in units of the fastest class
     * @param decay seconds in which prices are expected to fall to 1/e
     */
    public static double of(List<Bid> bids, double units, double decay) {
        if (fits(bids, units, LOWEST, decay)) {
            return LOWEST;
        }
        double low = LOWEST;
        double high = HIGHEST;
        for (int step = 0; step < STEPS; step++) {
            double middle = Math.sqrt(low * high);
            if (fits(bids, units, middle, decay)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** True if slots are left over at this price although every job's demand is met. */
    public static boolean isFree(double price) {
        return price <= LOWEST;
    }

    private static boolean fits(List<Bid> bids, double units, double price, double decay) {
        double wanted = 0;
        for (Bid bid : bids) {
            wanted += bid.wanted(price, decay);
            if (wanted > units) {
                return false;
            }
        }
        return true;
    }
}
