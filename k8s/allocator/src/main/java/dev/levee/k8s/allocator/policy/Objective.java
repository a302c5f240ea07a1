package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.internal.Bid;
import dev.levee.k8s.allocator.internal.Offer;
import dev.levee.k8s.allocator.internal.SizeOptions;

/** The objective of sharing by goodput. It is the sum over jobs of the value of their workers. */
enum Objective {
    /** Progress, valued at the price that slots will have when the job ends. */
    PRICE {
        @Override
        double value(Candidate candidate, int option, double worth) {
            return worth * candidate.net(option);
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
        double value(Candidate candidate, int option, double worth) {
            return -candidate.bid().goodput()[0] / candidate.net(option);
        }

        @Override
        double nothing() {
            return WAITING;
        }
    };

    /** The value of waiting, which outweighs any speedup. */
    private static final double WAITING = -1000;

    /** The value of an option, given the value of a round. */
    abstract double value(Candidate candidate, int option, double worth);

    /** The value of waiting. */
    abstract double nothing();

    /** Creates a job's offer from its first {@code count} options. */
    Offer offer(Candidate candidate, double worth, int count) {
        Bid bid = candidate.bid();
        SizeOptions options = bid.options();
        int first = bid.mayWait() ? 1 : 0;
        int[] workers = new int[count + first];
        int[] classes = new int[workers.length];
        double[] units = new double[workers.length];
        double[] values = new double[workers.length];
        if (bid.mayWait()) {
            values[0] = nothing();
        }
        System.arraycopy(options.workers(), 0, workers, first, count);
        System.arraycopy(options.classes(), 0, classes, first, count);
        System.arraycopy(options.units(), 0, units, first, count);
        for (int option = 0; option < count; option++) {
            values[first + option] = value(candidate, option, worth);
        }
        return new Offer(workers, classes, units, values);
    }
}
