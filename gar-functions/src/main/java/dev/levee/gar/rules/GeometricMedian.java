package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.io.Serializable;
import java.util.stream.IntStream;

/**
 * The point with the smallest sum of distances to the rows (Chen, Su, Xu, "Distributed Statistical
 * Machine Learning in Adversarial Settings: Byzantine Gradient Descent", 2017, section 3), by
 * Weiszfeld iteration from the mean until a step is shorter than {@link #TOLERANCE} times the
 * median distance. If the solution is not unique (an even number of rows on a line), it is the one
 * that the iteration reaches. Rows more than a thousand times as far away as the median row are
 * excluded from the starting mean, where they would reduce the precision of the others. A row that
 * is the solution, by Vardi and Zhang's condition ("The multivariate L1-median and associated data
 * depth", PNAS 2000), is returned unchanged. From the 1000th step on, steps are lengthened while
 * the sum of distances falls, and after the 1200th the iteration ends: rows can be crafted so that
 * it would take any number of steps.
 *
 * <p>The smoothed variant makes a fixed number of steps with weights 1/max(ν, distance) (Pillutla,
 * Kakade, Harchaoui, "Robust Aggregation for Federated Learning", 2019, algorithm 2).
 *
 * <p>Weighted rows count by their weights, as in the objective Σ α_i ‖z − x_i‖.
 *
 * @param smoothing the smoothed variant, null for the solution
 */
public record GeometricMedian(Smoothing smoothing) implements MajorityRule, WeightedRule {
    /** Length of the last step in median distances. */
    public static final double TOLERANCE = 1e-9;

    /**
     * The smoothed variant.
     *
     * @param nu ν, the smallest distance that counts, above 0
     * @param iterations number of steps, at least 1
     * @param fromZero whether to start from zero instead of the mean
     */
    public record Smoothing(double nu, int iterations, boolean fromZero) implements Serializable {
        public Smoothing {
            if (!(nu > 0)) {
                throw new IllegalArgumentException(
                        "geometric-median: nu must be above 0, got " + Arguments.text(nu));
            }
        }
    }

    /** Reads the parameters {@code nu}, {@code iterations} and {@code start}. */
    public static GeometricMedian of(Arguments arguments) {
        if (!arguments.has("nu") && !arguments.has("iterations") && !arguments.has("start")) {
            return new GeometricMedian(null);
        }
        String start = arguments.word("start", "zero");
        if (!start.equals("zero") && !start.equals("mean")) {
            throw new IllegalArgumentException(
                    "geometric-median: start must be zero or mean, got " + start);
        }
        return new GeometricMedian(
                new Smoothing(
                        arguments.number("nu", 0.1),
                        arguments.positive("iterations", 3),
                        start.equals("zero")));
    }

    @Override
    public String name() {
        return smoothing == null
                ? "geometric-median"
                : "geometric-median(nu="
                        + Arguments.text(smoothing.nu())
                        + ",iterations="
                        + smoothing.iterations()
                        + ",start="
                        + (smoothing.fromZero() ? "zero" : "mean")
                        + ")";
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    @Override
    public Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state) {
        int n = round.rows();
        if (phase == 0) {
            return Anchored.look(looked, n, round.f());
        }
        Anchored rows = Anchored.seen(looked, n);
        double[] counts = Weights.counts(IntStream.range(0, n).toArray(), round);
        double[] weights =
                smoothing == null
                        ? new Weiszfeld(rows, counts).solve()
                        : smoothed(rows, counts, smoothing);
        return new Step.Reduce(
                Anchored.combine(weights).after(mixed),
                new Reduction.Mean(),
                RuleState.NONE,
                weights);
    }

    private static double[] smoothed(Anchored rows, double[] counts, Smoothing smoothing) {
        double[] weights = smoothing.fromZero() ? null : rows.mean(counts);
        for (int t = 0; t < smoothing.iterations(); t++) {
            double[] distances = weights == null ? rows.norms() : rows.distances(weights);
            weights = new double[distances.length];
            double sum = 0;
            for (int i = 0; i < weights.length; i++) {
                weights[i] =
                        rows.finite(i) ? counts[i] / Math.max(smoothing.nu(), distances[i]) : 0;
                sum += weights[i];
            }
            for (int i = 0; i < weights.length; i++) {
                weights[i] /= sum;
            }
        }
        return weights;
    }
}
