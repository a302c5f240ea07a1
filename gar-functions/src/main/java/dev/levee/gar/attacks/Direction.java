package dev.levee.gar.attacks;

import java.util.Arrays;

/** The direction in which to move away from the mean of the honest rows. */
@FunctionalInterface
interface Direction {
    /**
     * Writes coordinates {@code from} to {@code from + count} of the direction to {@code to}, from
     * index 0.
     *
     * @param means means of the honest rows on these coordinates, from index 0
     * @param deviations standard deviations of the honest rows with ddof 1, in the same way
     */
    void write(int from, int count, double[] means, double[] deviations, double[] to);

    /** −σ. */
    static Direction deviation() {
        return (from, count, means, deviations, to) -> {
            for (int i = 0; i < count; i++) {
                to[i] = -deviations[i];
            }
        };
    }

    /** −sign(mean). */
    static Direction sign() {
        return (from, count, means, deviations, to) -> {
            for (int i = 0; i < count; i++) {
                to[i] = -Math.signum(means[i]);
            }
        };
    }

    /** −mean/‖mean‖; zero if the mean is zero. */
    static Direction unit(HonestRows honest) {
        double[] squares = new double[1];
        honest.forEachMean(
                (from, count, means, deviations) -> {
                    double sum = 0;
                    for (int i = 0; i < count; i++) {
                        sum += means[i] * means[i];
                    }
                    squares[0] += sum;
                });
        double norm = Math.sqrt(squares[0]);
        return (from, count, means, deviations, to) -> {
            for (int i = 0; i < count; i++) {
                to[i] = norm == 0 ? 0 : -means[i] / norm;
            }
        };
    }

    /** The direction of one coordinate. */
    static Direction coordinate(int which) {
        return (from, count, means, deviations, to) -> {
            Arrays.fill(to, 0, count, 0);
            if (which >= from && which < from + count) {
                to[which - from] = 1;
            }
        };
    }

    /** The direction in which all coordinates grow by the same amount. */
    static Direction all() {
        return (from, count, means, deviations, to) -> Arrays.fill(to, 0, count, 1);
    }
}
