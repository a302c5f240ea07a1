package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.internal.Bid;
import dev.levee.k8s.allocator.internal.Offer;

/** What sharing by goodput maximises: a sum over jobs of what their workers are worth. */
enum Objective {
    /** Progress at the price that slots will have when the job ends. */
    PRICE {
        @Override
        double value(Candidate candidate, int size, double worth) {
            return worth * candidate.net(size);
        }

        @Override
        double nothing() {
            return 0;
        }
    },
    /**
     * The power mean of exponent −1 of speedups over the fewest workers (Qiao et al., "Pollux",
     * OSDI 2021, eq. 10).
     */
    POWER_MEAN {
        @Override
        double value(Candidate candidate, int size, double worth) {
            return -candidate.bid().goodput()[0] / candidate.net(size);
        }

        @Override
        double nothing() {
            return WAITING;
        }
    };

    /** That a job waits is worse than any speedup is good. */
    private static final double WAITING = -1000;

    /** What a size is worth, given what a round is worth. */
    abstract double value(Candidate candidate, int size, double worth);

    /** What it is worth to wait. */
    abstract double nothing();

    /** What a job offers for each of so many sizes that it may be given. */
    Offer offer(Candidate candidate, double worth, int sizes) {
        Bid bid = candidate.bid();
        int first = bid.mayWait() ? 1 : 0;
        int[] workers = new int[sizes + first];
        double[] values = new double[workers.length];
        if (bid.mayWait()) {
            values[0] = nothing();
        }
        for (int size = 0; size < sizes; size++) {
            workers[first + size] = bid.workers()[size];
            values[first + size] = value(candidate, size, worth);
        }
        return new Offer(workers, values);
    }
}
