package dev.levee.k8s.allocator.internal;

/**
 * The value of workers to one job: concave and piecewise linear.
 *
 * @param least fewest workers
 * @param most most workers
 * @param gain value of the n-th worker, for n from least + 1 to most; must not increase in n
 */
public record Demand(int least, int most, Gain gain) {
    /** The value of one more worker. */
    @FunctionalInterface
    public interface Gain {
        /** The value that the n-th worker adds. */
        double of(int n);
    }

    /**
     * ERA's demand: e·Δ − γ·|Δ|. A worker above the current number is worth e − γ. A worker that
     * the job already has is worth e + γ, because taking it away also costs γ.
     *
     * @param present current number of workers
     * @param efficiency e, above 0
     * @param penalty γ, at least 0
     */
    public static Demand linear(
            int least, int most, int present, double efficiency, double penalty) {
        return new Demand(
                least, most, n -> n > present ? efficiency - penalty : efficiency + penalty);
    }
}
