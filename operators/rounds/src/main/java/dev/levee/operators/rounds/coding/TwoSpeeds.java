package dev.levee.operators.rounds.coding;

/**
 * The (n, k) fork-join model with two speeds: each of n workers runs at the usual speed or, with a
 * probability, faster, and a round is over, and everybody stops, when k have finished a k-th of the
 * work (Badita, Jinan, Vamanan, Parag, "Modeling Performance and Energy trade-offs in Online
 * Data-Intensive Applications", 2021; without queueing). What is faster takes more power, its cube.
 *
 * @param times the times of workers at the usual speed
 * @param share probability of a worker to be fast
 * @param speedup how many times faster that is
 */
public record TwoSpeeds(WaitingTimes times, double share, double speedup) {
    /** Dynamic power of a processor by its clock: voltage goes with it. */
    private static final double POWER = 3;

    /** Steps of an integral, and the mean delays behind the last start that it continues for. */
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

    /** Mean time until k of n have finished, each a k-th of the work, in seconds. */
    public double seconds(int k) {
        return integral(k, t -> open(k, times.workers(), t));
    }

    /**
     * Mean energy until then, in seconds of one worker at the usual speed: each worker takes power
     * until it has finished or is stopped.
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

    /** The probability that fewer than k of so many have finished. */
    private double open(int k, int workers, double t) {
        double done = 1 - (1 - share) * left(k, t) - share * left(k, speedup * t);
        return k > workers ? 1 : 1 - new OrderStatistic(workers, k).reached(done);
    }

    /** The probability of a worker at the usual speed to be busy with a k-th of the work. */
    private double left(int k, double t) {
        double least = times.work() / k;
        return t <= least ? 1 : Math.exp(-(t - least) * times.mu() / least);
    }

    @FunctionalInterface
    private interface Density {
        double at(double t);
    }

    /**
     * Integrates from 0 until everybody has finished: flat until the first can have, then by steps.
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
