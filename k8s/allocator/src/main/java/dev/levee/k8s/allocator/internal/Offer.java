package dev.levee.k8s.allocator.internal;

/**
 * What sizes of a job are worth, beside each other.
 *
 * @param workers sizes, ascending; the first may be 0
 * @param values what each is worth
 */
public record Offer(int[] workers, double[] values) {
    /** The size worth most where a slot costs this much; the fewest workers of those. */
    int best(double price) {
        return best(price, 0);
    }

    /** The same among sizes from this one on. */
    public int best(double price, int from) {
        int best = from;
        for (int i = from + 1; i < workers.length; i++) {
            if (values[i] - price * workers[i] > values[best] - price * workers[best]) {
                best = i;
            }
        }
        return best;
    }

    /** The larger size that adds most for each slot among those that need no more; −1 if none. */
    int steepest(int from, int slots) {
        int best = -1;
        double most = 0;
        for (int i = from + 1; i < workers.length && workers[i] - workers[from] <= slots; i++) {
            double each = slope(from, i);
            if (each > most) {
                most = each;
                best = i;
            }
        }
        return best;
    }

    /** What each further slot adds between two sizes. */
    double slope(int from, int to) {
        return (values[to] - values[from]) / (workers[to] - workers[from]);
    }
}
