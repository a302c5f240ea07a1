package dev.levee.estimation;

import java.util.Arrays;

/** Order statistics of numbers, and the normal distribution. */
public final class Quantiles {
    private static final double SERIES_END = 3;

    private Quantiles() {}

    /** A quantile by linear interpolation between order statistics, like numpy's default. */
    public static double of(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double place = share * (sorted.length - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /** The median; for an even number of values, the mean of the two middle ones. */
    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /** P(Z > x) for a standard normal Z, accurate to about 15 digits in both tails. */
    static double normalTail(double x) {
        if (x < 0) {
            return 1 - normalTail(-x);
        }
        double density = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
        if (x < SERIES_END) {
            // Abramowitz and Stegun 26.2.11.
            double term = x;
            double sum = x;
            for (int k = 1; term > 1e-17 * sum; k++) {
                term *= x * x / (2 * k + 1);
                sum += term;
            }
            return 0.5 - density * sum;
        }
        // The continued fraction 26.2.14, evaluated from its end.
        double fraction = x;
        for (int k = 200; k >= 1; k--) {
            fraction = x + k / fraction;
        }
        return density / fraction;
    }

    /** The x with P(Z ≤ x) = share, within (0, 1). */
    static double normal(double share) {
        if (share < 0.5) {
            return -normal(1 - share);
        }
        double low = 0;
        double high = 40;
        for (int i = 0; i < 200 && low < high; i++) {
            double middle = (low + high) / 2;
            if (normalTail(middle) > 1 - share) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }
}
