package dev.levee.k8s.allocator.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Shares slots of several classes. Each job gets a number of workers and a class; all its workers
 * are in this class or faster ones. The auction approximately maximizes the sum of the jobs' values
 * (Lagrangian relaxation, solved by an ascending auction). Each class, together with all faster
 * ones, has a price per slot, which rises as long as demand exceeds its slots. Then the remaining
 * slots go to the jobs that gain most. Among equal jobs, the later one gives way first.
 */
public final class Auction {
    private static final double FIRST_PRICE = 1e-6;
    private static final double RAISE = 1.05;

    private final List<Bidder> bidders = new ArrayList<>();

    /** Number of slots in each class and all faster classes. */
    private final int[] room;

    /** Number of slots taken in each class and all faster classes. */
    private final long[] taken;

    private Auction(List<ClassDemand> jobs, int[] slots) {
        room = slots.clone();
        for (int c = 1; c < room.length; c++) {
            room[c] += room[c - 1];
        }
        taken = new long[room.length];
        for (ClassDemand job : jobs) {
            Bidder bidder = new Bidder(job, room.length);
            bidders.add(bidder);
            bidder.choose(new double[room.length]);
            take(bidder, 1);
        }
    }

    /**
     * The shares of the jobs.
     *
     * @param workers number of workers of each job
     * @param classes the slowest class of each job's workers; 0 is the fastest
     */
    public record Shares(int[] workers, int[] classes) {}

    /**
     * Shares slots.
     *
     * @param slots slots of each class, the fastest first
     * @throws IllegalArgumentException if the sum of the jobs' minima exceeds the slots
     */
    public static Shares share(List<ClassDemand> jobs, int... slots) {
        long least = 0;
        for (ClassDemand job : jobs) {
            least += job.least();
        }
        long all = 0;
        for (int each : slots) {
            all += each;
        }
        if (least > all) {
            throw new IllegalArgumentException(
                    "%d jobs need at least %d workers, but there are %d"
                            .formatted(jobs.size(), least, all));
        }
        Auction auction = new Auction(jobs, slots);
        auction.raisePrices();
        auction.handOutTheRest();
        return auction.shares();
    }

    private Shares shares() {
        Shares shares = new Shares(new int[bidders.size()], new int[bidders.size()]);
        for (int j = 0; j < bidders.size(); j++) {
            shares.workers()[j] = bidders.get(j).workers;
            shares.classes()[j] = bidders.get(j).slotClass;
        }
        return shares;
    }

    private void raisePrices() {
        double[] prices = new double[room.length];
        while (overdrawn() >= 0) {
            for (int c = 0; c < prices.length; c++) {
                if (taken[c] > room[c]) {
                    prices[c] = Math.max(FIRST_PRICE, prices[c] * RAISE);
                }
            }
            // A slot also counts in all slower classes, and pays their prices.
            double[] each = prices.clone();
            for (int c = each.length - 2; c >= 0; c--) {
                each[c] += each[c + 1];
            }
            for (int j = bidders.size() - 1; j >= 0; j--) {
                Bidder bidder = bidders.get(j);
                if (overdrawn() >= bidder.slotClass) {
                    take(bidder, -1);
                    bidder.choose(each);
                    take(bidder, 1);
                }
            }
        }
    }

    /**
     * The slowest class for which demand in this class and all faster ones exceeds their slots; −1
     * if there is none.
     */
    private int overdrawn() {
        int c = room.length - 1;
        while (c >= 0 && taken[c] <= room[c]) {
            c--;
        }
        return c;
    }

    private void take(Bidder bidder, int sign) {
        for (int c = bidder.slotClass; c < taken.length; c++) {
            taken[c] += (long) sign * bidder.workers;
        }
    }

    private void handOutTheRest() {
        while (true) {
            Bidder best = null;
            int workers = 0;
            int slotClass = 0;
            double most = 1e-9;
            for (Bidder bidder : bidders) {
                double now = bidder.job.value().of(bidder.workers, bidder.slotClass);
                take(bidder, -1);
                for (int c = 0; c < room.length; c++) {
                    int n = bidder.best(c, free(c));
                    n = c == bidder.slotClass ? Math.min(n, bidder.workers + 1) : n;
                    double gain = n < bidder.job.least() ? 0 : bidder.job.value().of(n, c) - now;
                    if (gain > most) {
                        most = gain;
                        best = bidder;
                        workers = n;
                        slotClass = c;
                    }
                }
                take(bidder, 1);
            }
            if (best == null) {
                return;
            }
            take(best, -1);
            best.workers = workers;
            best.slotClass = slotClass;
            take(best, 1);
        }
    }

    private int free(int slotClass) {
        long free = Integer.MAX_VALUE;
        for (int c = slotClass; c < room.length; c++) {
            free = Math.min(free, room[c] - taken[c]);
        }
        return (int) free;
    }

    /** A job and its bid. Prices only rise, so its demand in each class only falls. */
    private static final class Bidder {
        private final ClassDemand job;
        private final int[] wanted;
        private int workers;
        private int slotClass;

        Bidder(ClassDemand job, int classes) {
            this.job = job;
            this.wanted = new int[classes];
            Arrays.fill(wanted, job.most());
        }

        /**
         * Chooses the class and number of workers with the largest value minus price. Among equals,
         * it chooses the slower class and fewer workers.
         */
        void choose(double[] prices) {
            double most = Double.NEGATIVE_INFINITY;
            for (int c = prices.length - 1; c >= 0; c--) {
                double value = job.value().of(wanted[c], c);
                while (wanted[c] > job.least()) {
                    double fewer = job.value().of(wanted[c] - 1, c);
                    if (value - fewer > prices[c]) {
                        break;
                    }
                    wanted[c]--;
                    value = fewer;
                }
                double net = value - prices[c] * wanted[c];
                if (net > most) {
                    most = net;
                    workers = wanted[c];
                    slotClass = c;
                }
            }
        }

        /**
         * Number of workers that the job would take in a class at price 0, at most {@code free};
         * below the job's minimum if these do not fit.
         */
        int best(int c, int free) {
            int n = Math.min(job.most(), free);
            while (n > job.least() && job.value().of(n - 1, c) >= job.value().of(n, c)) {
                n--;
            }
            return n;
        }
    }
}
