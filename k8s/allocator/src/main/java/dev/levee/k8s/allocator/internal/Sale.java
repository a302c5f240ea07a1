package dev.levee.k8s.allocator.internal;

import java.util.List;
import java.util.PriorityQueue;

/**
 * Maximises Σ values over one size of each offer under Σ workers ≤ slots: at one price for a slot,
 * then what is left goes where it adds most. Optimal but for the last few slots.
 *
 * @param sizes the size of each offer, by its index
 * @param price what a slot goes for, in the unit of the values
 */
public record Sale(int[] sizes, double price) {
    private static final int STEPS = 48;

    /** The least price considered, as a share of the greatest. */
    private static final double LEAST = 1e-12;

    /** A larger size that an offer could have. */
    private record Step(int offer, int to, double slope) implements Comparable<Step> {
        @Override
        public int compareTo(Step other) {
            int steeper = Double.compare(other.slope, slope);
            return steeper != 0 ? steeper : Integer.compare(offer, other.offer);
        }
    }

    /**
     * Shares so many slots.
     *
     * @throws IllegalArgumentException if not even the smallest sizes fit; one sentence
     */
    public static Sale of(List<Offer> offers, int slots) {
        double high = 1;
        long least = 0;
        for (Offer offer : offers) {
            least += offer.workers()[0];
            for (double value : offer.values()) {
                high = Math.max(high, 2 * Math.abs(value) + 1);
            }
        }
        if (least > slots) {
            throw new IllegalArgumentException(
                    "jobs that have to run need %d slots, there are %d".formatted(least, slots));
        }
        double low = LEAST * high;
        for (int step = 0; step < STEPS; step++) {
            double middle = Math.sqrt(low * high);
            if (wanted(offers, middle) <= slots) {
                high = middle;
            } else {
                low = middle;
            }
        }
        int[] sizes = new int[offers.size()];
        int left = slots;
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = offers.get(i).best(high);
            left -= offers.get(i).workers()[sizes[i]];
        }
        fill(offers, sizes, left);
        return new Sale(sizes, high);
    }

    private static long wanted(List<Offer> offers, double price) {
        long sum = 0;
        for (Offer offer : offers) {
            sum += offer.workers()[offer.best(price)];
        }
        return sum;
    }

    private static void fill(List<Offer> offers, int[] sizes, int slots) {
        PriorityQueue<Step> steps = new PriorityQueue<>();
        for (int i = 0; i < sizes.length; i++) {
            add(steps, i, offers.get(i), sizes[i], slots);
        }
        int left = slots;
        while (!steps.isEmpty()) {
            Step step = steps.poll();
            Offer offer = offers.get(step.offer());
            int needed = offer.workers()[step.to()] - offer.workers()[sizes[step.offer()]];
            if (needed <= left) {
                left -= needed;
                sizes[step.offer()] = step.to();
            }
            add(steps, step.offer(), offer, sizes[step.offer()], left);
        }
    }

    private static void add(PriorityQueue<Step> steps, int index, Offer offer, int from, int left) {
        int to = offer.steepest(from, left);
        if (to >= 0) {
            steps.add(new Step(index, to, offer.slope(from, to)));
        }
    }
}
