package dev.levee.k8s.allocator.internal;

/** A job's bid for workers. */
public final class Bid {
    private final Options options;
    private final double[] goodput;
    private final double[] seconds;
    private final boolean mayWait;
    private final double left;

    /**
     * A bid.
     *
     * @param options the choices for the job
     * @param goodput rounds at the reference batch per second with each
     * @param mayWait true if it may be given nothing
     * @param left rounds at the reference batch to its end, or as many as it has made if unknown; 0
     *     if it was never measured
     */
    public Bid(Options options, double[] goodput, boolean mayWait, double left) {
        this.options = options;
        this.goodput = goodput;
        this.mayWait = mayWait;
        this.left = left;
        seconds = new double[goodput.length];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = 1 / goodput[i];
        }
    }

    /** The options that it may be given. */
    public Options options() {
        return options;
    }

    /** Rounds at the reference batch per second with each option. */
    public double[] goodput() {
        return goodput;
    }

    /** True if it may be given nothing. */
    public boolean mayWait() {
        return mayWait;
    }

    /** Seconds of its own and of its slots at this price, for each round: the least there is. */
    double cost(double price) {
        return cost(price, cheapest(price));
    }

    /** The option with which a round costs least when a slot-second costs this much. */
    int cheapest(double price) {
        int best = 0;
        double least = cost(price, 0);
        for (int i = 1; i < seconds.length; i++) {
            double cost = cost(price, i);
            if (cost < least) {
                least = cost;
                best = i;
            }
        }
        return best;
    }

    /** The cost of a round with one option: seconds, and slot-seconds at their price. */
    private double cost(double price, int option) {
        return (1 + price * options.units()[option]) * seconds[option];
    }

    /**
     * The worth of a round: its cost at the price that will hold when the job ends. A slot's price
     * is expected to fall, since congestion passes.
     *
     * @param decay seconds in which prices fall to 1/e
     */
    public double worth(double price, double decay) {
        double ends = left * seconds[cheapest(price)];
        return cost(price * StrictMath.exp(-ends / decay));
    }

    /** Units of slots that it takes at a price; the fewest of those that are worth most. */
    double wanted(double price, double decay) {
        double worth = worth(price, decay);
        double most = mayWait ? 0 : Double.NEGATIVE_INFINITY;
        double wanted = 0;
        for (int i = 0; i < options.tried(); i++) {
            double surplus = worth * goodput[i] - price * options.units()[i];
            if (surplus > most) {
                most = surplus;
                wanted = options.units()[i];
            }
        }
        return wanted;
    }
}
