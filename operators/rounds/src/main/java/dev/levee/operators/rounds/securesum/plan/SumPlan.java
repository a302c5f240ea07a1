package dev.levee.operators.rounds.securesum.plan;

import java.util.Locale;
import java.util.Optional;

/**
 * The number of neighbors of a device, and the number of them that can reconstruct its secrets. It
 * uses the least degree with which any device is unmasked with a probability of at most 2⁻⁴⁰ and
 * the round is lost with a probability of at most 2⁻³⁰. These bounds hold for any choice of the
 * leaving and the colluding devices before the graph is drawn (Bell, Bonawitz, Gascón, Lepoint,
 * Raykova, "Secure Single-Server Aggregation with (Poly)Logarithmic Overhead", CCS 2020, section 3;
 * σ = 40, η = 30). Neighbors are drawn without replacement, so the numbers follow from the tail of
 * the hypergeometric distribution and a union bound over all devices.
 *
 * @param devices number of devices in the graph
 * @param leaving number of devices that may leave
 * @param colluding number of devices that may collude
 * @param degree number of neighbors of a device, k
 * @param threshold number of shares that reconstruct a secret, t
 * @param unmasked a bound on the probability that a device can be unmasked
 * @param lost a bound on the probability that too few shares of a secret arrive
 */
public record SumPlan(
        int devices,
        int leaving,
        int colluding,
        int degree,
        int threshold,
        double unmasked,
        double lost) {
    private static final double SECURITY = Math.scalb(1.0, -40);
    private static final double CORRECTNESS = Math.scalb(1.0, -30);

    /** With a threshold of one share, a neighbor would know the secret. */
    private static final int LEAST_THRESHOLD = 2;

    /**
     * The plan with the least degree and, among those, the greatest threshold; empty if there is
     * none.
     */
    static Optional<SumPlan> of(int devices, int leaving, int colluding, Trust trust) {
        Hypergeometric others = new Hypergeometric(devices - 1);
        for (int degree = 2; degree < devices - 1; degree += 2) {
            Optional<SumPlan> plan = of(devices, leaving, colluding, trust, degree, others);
            if (plan.isPresent()) {
                return plan;
            }
        }
        return of(devices, leaving, colluding, trust, devices - 1, others);
    }

    private static Optional<SumPlan> of(
            int devices,
            int leaving,
            int colluding,
            Trust trust,
            int degree,
            Hypergeometric others) {
        int gone = others.least(leaving, degree, CORRECTNESS / devices);
        int threshold = degree - gone + 1;
        if (threshold < LEAST_THRESHOLD) {
            return Optional.empty();
        }
        double told = devices * others.tail(colluding, degree, trust.enough(degree, threshold));
        double unmasked = told + apart(devices, leaving + colluding, degree);
        double lost = devices * others.tail(leaving, degree, gone);
        return unmasked <= SECURITY
                ? Optional.of(
                        new SumPlan(devices, leaving, colluding, degree, threshold, unmasked, lost))
                : Optional.empty();
    }

    /**
     * A bound on the probability that the remaining honest devices are not connected, which would
     * reveal the sums of their groups. Two sequences of k/2 other devices on the circle must
     * separate the groups.
     */
    private static double apart(int devices, int others, int degree) {
        if (degree == devices - 1) {
            return 0;
        }
        double all = 1;
        for (int i = 0; i < degree; i++) {
            all *= Math.max(0, others - i) / (double) (devices - i);
        }
        return all * devices * (devices - 1.0) / 2;
    }

    /** The fewest devices whose sum may be revealed. */
    public int fewest() {
        return devices - leaving;
    }

    /** A sentence for users. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d devices, of which %d may leave and %d collude: %d neighbors each, %d of which"
                        + " make up a secret; P(unmasked) %s, P(lost) %s",
                devices,
                leaving,
                colluding,
                degree,
                threshold,
                power(unmasked),
                power(lost));
    }

    private static String power(double probability) {
        return probability == 0
                ? "0"
                : String.format(
                        Locale.ROOT,
                        "≤ 2^%d",
                        (int) Math.ceil(Math.log(probability) / Math.log(2)));
    }
}
