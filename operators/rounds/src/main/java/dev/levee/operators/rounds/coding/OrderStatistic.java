package dev.levee.operators.rounds.coding;

/**
 * The m-th smallest of n independent times of the same distribution.
 *
 * @param n how many times there are
 * @param m 0 to n
 */
record OrderStatistic(int n, int m) {
    private static final int HALVINGS = 60;

    /** The probability that at least m times are over, if each is over with probability p. */
    double reached(double p) {
        if (p <= 0 || p >= 1) {
            return m == 0 || p >= 1 ? 1 : 0;
        }
        double sum = 0;
        double combinations = 0; // ln C(n, j)
        for (int j = 0; j <= n; j++) {
            if (j > 0) {
                combinations += Math.log((double) (n - j + 1) / j);
            }
            if (j >= m) {
                sum += Math.exp(combinations + j * Math.log(p) + (n - j) * Math.log1p(-p));
            }
        }
        return Math.min(1, sum);
    }

    /**
     * The inverse of {@link #reached}: the p at which at least m times are over with this
     * probability.
     */
    double share(double probability) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (reached(middle) < probability) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /** A quantile of the m-th smallest of n exponential times of mean 1. */
    double exponentialQuantile(double probability) {
        return -Math.log1p(-share(probability));
    }
}
