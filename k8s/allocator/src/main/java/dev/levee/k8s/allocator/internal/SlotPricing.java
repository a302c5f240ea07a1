package dev.levee.k8s.allocator.internal;

import java.util.List;
import java.util.PriorityQueue;

/**
 * Chooses one size of each offer, so that the sum of values is maximal and the workers fit the
 * slots of each class and all faster ones together. It finds one price for each of these
 * constraints; the remaining slots then go where they add most. The result is optimal except for
 * the last few slots.
 *
 * @param sizes the chosen size of each offer, as an index
 * @param prices the price of a slot of each class, in the unit of the values
 */
public record SlotPricing(int[] sizes, double[] prices) {
    private static final int STEPS = 48;

    /** The lowest price considered, as a share of the highest. */
    private static final double LEAST = 1e-12;

    /** Number of times that each class's price is searched for, given the other prices. */
    private static final int SWEEPS = 3;

    /** The factor by which prices rise that are still too low after the search. */
    private static final double RAISE = 1.02;

    /** A larger size that an offer could have. */
    private record Step(int offer, int to, double slope) implements Comparable<Step> {
        @Override
        public int compareTo(Step other) {
            int steeper = Double.compare(other.slope, slope);
            return steeper != 0 ? steeper : Integer.compare(offer, other.offer);
        }
    }

    /**
     * Shares slots.
     *
     * @param slots the slots of each class, the fastest first
     * @throws IllegalArgumentException if even the smallest sizes do not fit; one sentence
     */
    public static SlotPricing of(List<Offer> offers, int... slots) {
        double high = 1;
        long least = 0;
        for (Offer offer : offers) {
            least += offer.workers()[0];
            for (double value : offer.values()) {
                high = Math.max(high, 2 * Math.abs(value) + 1);
            }
        }
        FreeSlots freeSlots = new FreeSlots(slots);
        long all = freeSlots.free(freeSlots.classes() - 1);
        if (least > all) {
            throw new IllegalArgumentException(
                    "jobs that must run need %d slots, but there are %d".formatted(least, all));
        }
        double[] prices = prices(offers, freeSlots, high);
        int[] sizes = new int[offers.size()];
        for (int i = 0; i < sizes.length; i++) {
            Offer offer = offers.get(i);
            sizes[i] = offer.best(prices);
            freeSlots.take(offer.workers()[sizes[i]], offer.classes()[sizes[i]]);
        }
        fill(offers, sizes, freeSlots);
        return new SlotPricing(sizes, prices);
    }

    /** The lowest prices found at which demand fits each class and all faster ones together. */
    private static double[] prices(List<Offer> offers, FreeSlots freeSlots, double high) {
        double[] surcharges = new double[freeSlots.classes()];
        for (int sweep = 0; sweep < (surcharges.length == 1 ? 1 : SWEEPS); sweep++) {
            for (int c = surcharges.length - 1; c >= 0; c--) {
                surcharges[c] = lowest(offers, freeSlots, surcharges, c, high);
            }
        }
        for (int c = overdrawn(offers, freeSlots, surcharges);
                c >= 0;
                c = overdrawn(offers, freeSlots, surcharges)) {
            surcharges[c] *= RAISE;
        }
        return prices(surcharges);
    }

    /** The lowest surcharge of a class and all faster ones at which demand fits their slots. */
    private static double lowest(
            List<Offer> offers,
            FreeSlots freeSlots,
            double[] surcharges,
            int slotClass,
            double greatest) {
        double[] tried = surcharges.clone();
        double high = greatest;
        double low = LEAST * high;
        for (int step = 0; step < STEPS; step++) {
            double middle = Math.sqrt(low * high);
            tried[slotClass] = middle;
            if (wanted(offers, prices(tried), slotClass) <= freeSlots.free(slotClass)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /**
     * The slowest class for which demand in this class and all faster ones exceeds their slots at
     * these surcharges; −1 if there is none.
     */
    private static int overdrawn(List<Offer> offers, FreeSlots freeSlots, double[] surcharges) {
        double[] prices = prices(surcharges);
        int c = freeSlots.classes() - 1;
        while (c >= 0 && wanted(offers, prices, c) <= freeSlots.free(c)) {
            c--;
        }
        return c;
    }

    /**
     * The price of a slot in each class. A slot counts in its own class and in all slower ones, and
     * costs the sum of their surcharges.
     */
    private static double[] prices(double[] surcharges) {
        double[] prices = surcharges.clone();
        for (int c = prices.length - 2; c >= 0; c--) {
            prices[c] += prices[c + 1];
        }
        return prices;
    }

    /** Demand for slots of a class and all faster ones at these prices. */
    private static long wanted(List<Offer> offers, double[] prices, int slotClass) {
        long sum = 0;
        for (Offer offer : offers) {
            int best = offer.best(prices);
            sum += offer.classes()[best] <= slotClass ? offer.workers()[best] : 0;
        }
        return sum;
    }

    private static void fill(List<Offer> offers, int[] sizes, FreeSlots freeSlots) {
        PriorityQueue<Step> steps = new PriorityQueue<>();
        for (int i = 0; i < sizes.length; i++) {
            add(steps, i, offers.get(i), sizes[i], freeSlots);
        }
        while (!steps.isEmpty()) {
            Step step = steps.poll();
            Offer offer = offers.get(step.offer());
            int from = sizes[step.offer()];
            if (freeSlots.fits(offer, from, step.to())) {
                freeSlots.take(-offer.workers()[from], offer.classes()[from]);
                freeSlots.take(offer.workers()[step.to()], offer.classes()[step.to()]);
                sizes[step.offer()] = step.to();
            }
            add(steps, step.offer(), offer, sizes[step.offer()], freeSlots);
        }
    }

    private static void add(
            PriorityQueue<Step> steps, int index, Offer offer, int from, FreeSlots freeSlots) {
        int to = offer.steepest(from, freeSlots);
        if (to >= 0) {
            steps.add(new Step(index, to, offer.slope(from, to)));
        }
    }
}
