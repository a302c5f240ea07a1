package dev.levee.k8s.allocator.internal;

/** A job's bid for workers. */
public final class Bid {
    private final SizeOptions options;
    private final double[] goodput;
    private final double[] seconds;
    private final boolean mayWait;
    private final double left;

    /**
     * Creates a bid.
     *
     * @param options the sizes that the job may have
     * @param goodput rounds at the reference batch per second with each option
     * @param mayWait true if the job may get no workers
     * @param left rounds at the reference batch to the job's end; if unknown, the rounds that it
     *     has made; 0 if it was never measured
     */
    public Bid(SizeOptions options, double[] goodput, boolean mayWait, double left) {
        this.options = options;
        this.goodput = goodput;
        this.mayWait = mayWait;
        this.left = left;
        seconds = new double[goodput.length];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = 1 / goodput[i];
        }
    }

    /** The sizes that the job may have. */
    public SizeOptions options() {
        return options;
    }

    /** Rounds at the reference batch per second with each option. */
    public double[] goodput() {
        return goodput;
    }

    /** True if the job may get no workers. */
    public boolean mayWait() {
        return mayWait;
    }

    /**
     * The minimum cost of a round at a price: the job's seconds plus the price of its slot-seconds.
     */
    double cost(double price) {
        return cost(price, cheapest(price));
    }

    /** The option with the cheapest round at a price of a slot-second. */
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

    /** The cost of a round with one option: its seconds plus the price of its slot-seconds. */
    private double cost(double price, int option) {
        return (1 + price * options.units()[option]) * seconds[option];
    }

    /**
     * The value of a round: its cost at the price that is expected when the job ends. Prices are
     * expected to fall, because congestion passes.
     *
     * @param decay seconds in which prices fall to 1/e
     */
    public double worth(double price, double decay) {
        double ends = left * seconds[cheapest(price)];
        return cost(price * StrictMath.exp(-ends / decay));
    }

    /** Units of slots that the job wants at a price; the fewest units among the best options. */
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
