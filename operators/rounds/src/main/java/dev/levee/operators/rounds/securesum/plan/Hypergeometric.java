package dev.levee.operators.rounds.securesum.plan;

/** The hypergeometric distribution: the number of marked elements in a draw without replacement. */
final class Hypergeometric {
    private final int population;
    private final double[] logFactorials;

    /** Creates the distribution for a population of this size. */
    Hypergeometric(int population) {
        this.population = population;
        logFactorials = new double[population + 1];
        for (int i = 2; i <= population; i++) {
            logFactorials[i] = logFactorials[i - 1] + Math.log(i);
        }
    }

    /** The probability that at least this many drawn elements are marked. */
    double tail(int marked, int draws, int atLeast) {
        double sum = 0;
        for (int i = Math.min(marked, draws); i >= Math.max(0, atLeast); i--) {
            sum += exactly(marked, draws, i);
        }
        return Math.min(1, sum);
    }

    /**
     * The smallest threshold that the number of drawn marked elements reaches with a probability of
     * at most the bound.
     */
    int least(int marked, int draws, double bound) {
        int i = Math.min(marked, draws);
        double sum = 0;
        while (i >= 0) {
            sum += exactly(marked, draws, i);
            if (sum > bound) {
                break;
            }
            i--;
        }
        return i + 1;
    }

    private double exactly(int marked, int draws, int i) {
        if (draws - i > population - marked) {
            return 0;
        }
        return Math.exp(
                logChoose(marked, i)
                        + logChoose(population - marked, draws - i)
                        - logChoose(population, draws));
    }

    private double logChoose(int n, int k) {
        return logFactorials[n] - logFactorials[k] - logFactorials[n - k];
    }
}
