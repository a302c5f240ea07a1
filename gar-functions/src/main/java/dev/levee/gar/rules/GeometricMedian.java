package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The point with the smallest sum of distances to the rows (Chen, Su, Xu, "Distributed Statistical
 * Machine Learning in Adversarial Settings: Byzantine Gradient Descent", 2017, section 3), by
 * Weiszfeld iteration from the mean until a step is shorter than {@link #TOLERANCE} times the
 * median distance. If the solution is not unique (an even number of rows on a line), the result is
 * the one that the iteration reaches. Rows more than a thousand times as far away as the median row
 * are excluded from the starting mean, where they would reduce the precision of the others. A row
 * that is the solution, by Vardi and Zhang's condition ("The multivariate L1-median and associated
 * data depth", PNAS 2000), is returned unchanged. An attacker can craft rows for which the
 * iteration would take any number of steps. Therefore, steps are lengthened from the 1000th step on
 * while the sum of distances falls, and the iteration ends after the 1200th step.
 *
 * <p>The smoothed variant makes a fixed number of steps with weights 1/max(ν, distance) (Pillutla,
 * Kakade, Harchaoui, "Robust Aggregation for Federated Learning", 2019, algorithm 2).
 *
 * <p>Weighted rows count by their weights, as in the objective Σ α_i ‖z − x_i‖.
 *
 * @param smoothing parameters of the smoothed variant, null for the exact solution
 */
public record GeometricMedian(Smoothing smoothing) implements MajorityRule, WeightedRule {
    /** Length of the last step, relative to the median distance. */
    public static final double TOLERANCE = 1e-9;

    /**
     * The smoothed variant.
     *
     * @param nu ν, the smallest distance that counts, finite and above 0
     * @param iterations number of steps, at least 1
     * @param fromZero whether to start from zero instead of the mean
     */
    public record Smoothing(double nu, int iterations, boolean fromZero) implements Serializable {
        public Smoothing {
            if (!(nu > 0 && nu < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "geometric-median: nu must be a number above 0, got " + Arguments.text(nu));
            }
            Arguments.checkAtLeast("geometric-median: iterations", 1, iterations);
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
        return AnchoredRows.FIRST;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        double[] counts = RowWeights.counts(IntStream.range(0, round.rows()).toArray(), round);
        return smoothing == null
                ? solve(phase, mixed, looked, round, counts)
                : smooth(phase, mixed, looked, round, counts);
    }

    /**
     * Solves with the distances from one row if only this row can be the solution. The distances
     * between all rows are needed if several rows can be the solution, or if the iteration reaches
     * a row. They take a more expensive look.
     */
    private static Step solve(
            int phase, RowMap mixed, LookResult looked, Round round, double[] counts) {
        int n = round.rows();
        if (phase == 0) {
            Weiszfeld.Distances all =
                    i -> {
                        double[] from = AnchoredRows.distances(looked, n, i);
                        boolean finite = looked.squaredDistance(i, n) < Double.POSITIVE_INFINITY;
                        Arrays.setAll(
                                from,
                                j -> finite && from[j] >= 0 ? from[j] : Double.POSITIVE_INFINITY);
                        return from;
                    };
            int[] nearest = Weiszfeld.nearest(counts, all);
            double[] from = AnchoredRows.distances(looked, n, nearest[0]);
            boolean one = Arrays.stream(nearest).allMatch(i -> from[i] == 0);
            return AnchoredRows.look(looked, n, round.f(), one, List.of(from));
        }
        if (looked.squaredDistances().length > 0) {
            AnchoredRows rows = AnchoredRows.seen(looked, n);
            int[] nearest = Weiszfeld.nearest(counts, rows::distances);
            return mean(new Weiszfeld(rows, counts, rows::distances).solve(nearest), mixed);
        }
        double[] from = AnchoredRows.notedDistances(mixed, n);
        int[] nearest = IntStream.range(0, n).filter(i -> from[i] == 0).toArray();
        Weiszfeld solver =
                new Weiszfeld(
                        AnchoredRows.noted(mixed, looked, n, 2),
                        counts,
                        i -> from[i] == 0 ? from : null);
        double[] weights = solver.solve(nearest);
        RowMap rows = RowNotes.rows(mixed, 2);
        return weights == null ? AnchoredRows.look(rows) : mean(weights, rows);
    }

    private Step smooth(int phase, RowMap mixed, LookResult looked, Round round, double[] counts) {
        int n = round.rows();
        boolean zero = smoothing.fromZero();
        if (phase == 0) {
            List<double[]> norms = zero ? List.of(AnchoredRows.distances(looked, n, n)) : List.of();
            return AnchoredRows.look(looked, n, round.f(), true, norms);
        }
        int notes = zero ? 2 : 1;
        boolean all = looked.squaredDistances().length > 0;
        AnchoredRows rows =
                all ? AnchoredRows.seen(looked, n) : AnchoredRows.noted(mixed, looked, n, notes);
        double[] start;
        if (zero) {
            start = all ? rows.norms() : AnchoredRows.notedDistances(mixed, n);
        } else {
            start = rows.distances(rows.mean(counts));
        }
        return mean(smoothed(rows, counts, start), all ? mixed : RowNotes.rows(mixed, notes));
    }

    private static Step mean(double[] weights, RowMap rows) {
        return new Step.Reduce(
                AnchoredRows.combine(weights).after(rows),
                new Reduction.Mean(),
                RuleState.NONE,
                weights);
    }

    /**
     * The weights after the steps.
     *
     * @param start distances of the rows from the point where the steps start
     */
    private double[] smoothed(AnchoredRows rows, double[] counts, double[] start) {
        double[] weights = new double[counts.length];
        for (int t = 0; t < smoothing.iterations(); t++) {
            double[] distances = t == 0 ? start : rows.distances(weights);
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
