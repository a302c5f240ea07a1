package dev.levee.k8s.allocator.internal;

/** What a job would make of workers. */
public final class Bid {
    private final int[] workers;
    private final double[] goodput;
    private final double[] seconds;
    private final int tried;
    private final boolean mayWait;
    private final double left;

    /**
     * A bid.
     *
     * @param workers sizes, ascending
     * @param goodput rounds at the reference batch per second with each
     * @param tried how many of the sizes, from the first, it may be given
     * @param mayWait true if it may be given nothing
     * @param left rounds at the reference batch to its end, or as many as it has made where nobody
     *     knows; 0 if it was never measured
     */
    public Bid(int[] workers, double[] goodput, int tried, boolean mayWait, double left) {
        this.workers = workers;
        this.goodput = goodput;
        this.tried = tried;
        this.mayWait = mayWait;
        this.left = left;
        seconds = new double[goodput.length];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = 1 / goodput[i];
        }
    }

    /** Sizes, ascending. */
    public int[] workers() {
        return workers;
    }

    /** Rounds at the reference batch per second with each size. */
    public double[] goodput() {
        return goodput;
    }

    /** How many of the sizes, from the first, it may be given. */
    public int tried() {
        return tried;
    }

    /** True if it may be given nothing. */
    public boolean mayWait() {
        return mayWait;
    }

    /** Seconds of its own and of its slots at this price, for each round: the least there is. */
    double cost(double price) {
        return cost(price, cheapest(price));
    }

    /** The size at which a round costs least when a slot-second costs this much. */
    int cheapest(double price) {
        int best = 0;
        double least = cost(price, 0);
        for (int i = 1; i < workers.length; i++) {
            double cost = cost(price, i);
            if (cost < least) {
                least = cost;
                best = i;
            }
        }
        return best;
    }

    /** What a round costs with one size: seconds, and slot-seconds at their price. */
    private double cost(double price, int size) {
        return (1 + price * workers[size]) * seconds[size];
    }

    /**
     * What a round is worth to it: what it would cost at the price that will hold when it ends. A
     * slot's price is expected to fall, since congestion passes.
     *
     * @param decay seconds in which prices fall to 1/e
     */
    public double worth(double price, double decay) {
        double ends = left * seconds[cheapest(price)];
        return cost(price * StrictMath.exp(-ends / decay));
    }

    /** Workers that it takes at a price; the fewest of those that are worth most. */
    int wanted(double price, double decay) {
        double worth = worth(price, decay);
        double most = mayWait ? 0 : Double.NEGATIVE_INFINITY;
        int wanted = 0;
        for (int i = 0; i < tried; i++) {
            double surplus = worth * goodput[i] - price * workers[i];
            if (surplus > most) {
                most = surplus;
                wanted = workers[i];
            }
        }
        return wanted;
    }
}
