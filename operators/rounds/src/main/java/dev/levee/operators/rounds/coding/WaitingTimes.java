package dev.levee.operators.rounds.coding;

import java.util.Arrays;

/**
 * Mean times until workers have answered, under the model that the time of a worker for a part p of
 * the job is shifted exponential: p · (work + Exp(μ / work)), independent of the others (Lee, Lam,
 * Pedarsani, Papailiopoulos, Ramchandran, "Speeding Up Distributed Machine Learning Using Codes",
 * 2018). All times are in seconds.
 *
 * @param workers n
 * @param mu μ: the least time of a task divided by its mean delay beyond that
 * @param work the least time in which one worker would do the whole job
 */
public record WaitingTimes(int workers, double mu, double work) {
    private static final double LOWER = 0.25;
    private static final double MIDDLE = 0.5;

    /** Checks the numbers. */
    public WaitingTimes {
        if (workers < 1 || !(mu > 0) || !(work > 0)) {
            throw new IllegalArgumentException(
                    "waiting times need a worker, and a μ and a work above 0, got %d, %s and %s"
                            .formatted(workers, mu, work));
        }
    }

    /**
     * Fits the model to measured rounds. Each round waited for the first {@code waitedFor} of
     * {@code workers} answers to one n-th of the job. The fit uses quartiles: a pause of the
     * machine in a few rounds changes the mean and the variance, but not the quartiles.
     *
     * @param seconds duration of each round, until the last answer that it waited for
     * @throws IllegalArgumentException if the rounds are not distributed like that
     */
    public static WaitingTimes fit(double[] seconds, int waitedFor, int workers) {
        double[] sorted = Arrays.stream(seconds).sorted().toArray();
        OrderStatistic last = new OrderStatistic(workers, waitedFor);
        double lower = quantile(sorted, LOWER);
        double upper = quantile(sorted, 1 - LOWER);
        double delay =
                (upper - lower)
                        / (last.exponentialQuantile(1 - LOWER) - last.exponentialQuantile(LOWER));
        double middle = quantile(sorted, MIDDLE);
        double least = middle - delay * last.exponentialQuantile(MIDDLE);
        if (seconds.length < 2 || !(delay > 0) || !(least > 0)) {
            throw new IllegalArgumentException(
                    "a shifted exponential does not fit %d rounds whose quartiles are %.3g, %.3g and %.3g s: %s"
                            .formatted(
                                    seconds.length,
                                    lower,
                                    middle,
                                    upper,
                                    delay > 0
                                            ? "independent delays of workers make the last answer"
                                                    + " vary less, so the rounds vary for what all"
                                                    + " workers share, such as a busy machine"
                                            : "they do not differ"));
        }
        return new WaitingTimes(workers, least / delay, workers * least);
    }

    /** A quantile, interpolated linearly. */
    private static double quantile(double[] sorted, double probability) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double at = probability * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }

    /** Mean time until all have answered, each with one n-th of the job. */
    public double all() {
        return quorum(workers);
    }

    /**
     * Mean time until k have answered, each with one n-th of the job; the others' parts are lost.
     */
    public double quorum(int k) {
        return work * (1 + harmonic(workers - k, workers) / mu) / workers;
    }

    /**
     * Mean time until k have answered, each with one k-th of the job: an (n, k) MDS code of a
     * product.
     */
    public double product(int k) {
        return work * (1 + harmonic(workers - k, workers) / mu) / k;
    }

    /** Mean time until n − s have answered, each with s + 1 shares: a gradient code. */
    public double gradient(int s) {
        return (s + 1) * quorum(workers - s);
    }

    /**
     * Mean time until each of k parts of the job has been done by one of the n / k workers that
     * have it.
     *
     * @param k a divisor of n
     */
    public double replicated(int k) {
        return work * (1 + k * harmonic(0, k) / (workers * mu)) / k;
    }

    /** The best k of {@link #product} divided by n, for large n: 1 + 1 / W₋₁(−e^(−μ−1)). */
    public double bestShare() {
        return 1 - 1 / minusLambert();
    }

    /**
     * The time of {@link #product} with the best k, for large n: −W₋₁(−e^(−μ−1)) / (μ n) of the
     * work.
     */
    public double bestTime() {
        return work * minusLambert() / (mu * workers);
    }

    /** v = −W₋₁(−e^(−μ−1)), which is the v above 1 with v − ln v = μ + 1. */
    private double minusLambert() {
        double v = 1 + mu + Math.sqrt(2 * mu);
        for (int i = 0; i < 60; i++) {
            v -= (v - Math.log(v) - mu - 1) / (1 - 1 / v);
        }
        return v;
    }

    /** 1 / (from + 1) + … + 1 / to. */
    private static double harmonic(int from, int to) {
        double sum = 0;
        for (int i = to; i > from; i--) {
            sum += 1.0 / i;
        }
        return sum;
    }
}
