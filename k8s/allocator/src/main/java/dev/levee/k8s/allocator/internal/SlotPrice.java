package dev.levee.k8s.allocator.internal;

import java.util.List;

/**
 * The price of a slot-second, in seconds of a job's own: with it, every job by itself takes what
 * together fits the cluster. A slot that is slower than the fastest costs as much less.
 */
public final class SlotPrice {
    private static final double LOWEST = 1e-6;
    private static final double HIGHEST = 1e3;
    private static final int STEPS = 32;

    private SlotPrice() {}

    /**
     * The lowest price at which the jobs want no more than there is; the highest considered if they
     * always do.
     *
     * @param units how many there are, a slower one as the part of the fastest that it is
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

    /** True if slots are left over at this price, though every job has what it wants. */
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
