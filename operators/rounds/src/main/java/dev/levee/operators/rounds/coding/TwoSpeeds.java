package dev.levee.operators.rounds.coding;

/**
 * The (n, k) fork-join model with two speeds: each of n workers runs at the usual speed or, with
 * some probability, faster. Each does a k-th of the work; a round ends, and all workers stop, when
 * k have finished (Badita, Jinan, Vamanan, Parag, "Modeling Performance and Energy trade-offs in
 * Online Data-Intensive Applications", 2021; without queueing). Power grows with the cube of the
 * speed.
 *
 * @param times the times of workers at the usual speed
 * @param share probability of a worker to be fast
 * @param speedup speed of a fast worker divided by the usual speed
 */
public record TwoSpeeds(WaitingTimes times, double share, double speedup) {
    /**
     * Exponent of a processor's dynamic power by its clock rate, because voltage grows with the
     * clock rate.
     */
    private static final double POWER = 3;

    /**
     * Number of steps of an integral, which ends {@link #TAIL} mean delays after the earliest
     * finish.
     */
    private static final int STEPS = 4000;

    private static final double TAIL = 40;

    /** Checks the numbers. */
    public TwoSpeeds {
        if (!(share >= 0 && share <= 1) || !(speedup >= 1)) {
            throw new IllegalArgumentException(
                    "two speeds need a share from 0 to 1 and a speed of at least 1, got %s and %s"
                            .formatted(share, speedup));
        }
    }

    /** Mean time until k of n workers have finished a k-th of the work each, in seconds. */
    public double seconds(int k) {
        return integral(k, t -> open(k, times.workers(), t));
    }

    /**
     * Mean energy until k have finished, in units of one second of one worker at the usual speed.
     * Each worker takes power until it has finished or is stopped.
     */
    public double energy(int k) {
        double power = Math.pow(speedup, POWER);
        return integral(
                k,
                t ->
                        times.workers()
                                * open(k, times.workers() - 1, t)
                                * ((1 - share) * left(k, t)
                                        + share * power * left(k, speedup * t)));
    }

    /** The probability that fewer than k of these workers have finished. */
    private double open(int k, int workers, double t) {
        double done = 1 - (1 - share) * left(k, t) - share * left(k, speedup * t);
        return k > workers ? 1 : 1 - new OrderStatistic(workers, k).reached(done);
    }

    /** The probability that a worker at the usual speed has not yet finished a k-th of the work. */
    private double left(int k, double t) {
        double least = times.work() / k;
        return t <= least ? 1 : Math.exp(-(t - least) * times.mu() / least);
    }

    @FunctionalInterface
    private interface Density {
        double at(double t);
    }

    /**
     * Integrates from 0 until all workers have finished. The integrand is constant until one can
     * finish; the rest is summed by steps.
     */
    private double integral(int k, Density density) {
        double least = times.work() / k;
        double first = least / speedup;
        double end = least * (1 + TAIL / times.mu());
        double sum = density.at(0) * first;
        double step = (end - first) / STEPS;
        for (int i = 0; i < STEPS; i++) {
            sum += step * density.at(first + (i + 0.5) * step);
        }
        return sum;
    }
}
