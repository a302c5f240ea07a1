package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.List;

/**
 * Runs a rule inside another rule on some of the rows. It uses only the distances between all rows
 * and the rows' norms. It answers a second look at mixtures from these numbers, too: for weights c
 * that sum to 0, ‖Σ c_i x_i‖² = −½ Σ_ij c_i c_j ‖x_i − x_j‖². This is less precise than a real look
 * at the mixtures, but precise enough to find the row nearest to a result.
 */
final class EmbeddedRule {
    private static final int MOST_LOOKS = 1000;

    private final Rule rule;

    EmbeddedRule(Rule rule) {
        this.rule = rule;
    }

    /**
     * Checks that a rule can run inside another one, by trying it on a few rows.
     *
     * @param rule the rule
     * @param outer name of the outer rule, for error messages
     * @throws IllegalArgumentException if distances and norms are not enough for the rule, or if
     *     its result is not one row of weights
     */
    static void check(Rule rule, String outer) {
        boolean fits = false;
        if (!rule.needsScores()
                && !rule.needsPrevious()
                && rule.trusted().isEmpty()
                && measurable(rule.look())) {
            int n = rule.minimumRows(1) + 1;
            double[] squares = new double[LookResult.pairs(n + 1)];
            for (int i = 0; i < n; i++) {
                for (int j = i + 1; j < n; j++) {
                    squares[LookResult.pair(i, j, n + 1)] = (double) (j - i) * (j - i);
                }
                squares[LookResult.pair(i, n, n + 1)] = (i + 1.0) * (i + 1.0);
            }
            LookResult line = new LookResult(n + 1, squares, new double[0]);
            fits = new EmbeddedRule(rule).run(line, new Round(n, 1, 0, 0)) != null;
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    ("%s works with rules that weight rows by their distances and norms, such "
                                            + "as")
                                    .formatted(outer)
                            + " krum, not with "
                            + rule.name());
        }
    }

    /** The look at the rows' distances and norms. */
    static Look look() {
        return new Look(true, true, false, List.of(Reference.ORIGIN));
    }

    /**
     * Squared distances of rows to the rule's result over them.
     *
     * @param looked the result of {@link #look} at all rows
     * @param rows the rule's rows, ascending
     * @param round the round, with all rows
     */
    double[] distancesToResult(LookResult looked, int[] rows, Round round) {
        int m = rows.length;
        LookResult own = restricted(looked, rows);
        double[] weights = run(own, new Round(m, round.f(), round.number(), round.seed()));
        double[] squares = new double[m];
        double inner = weightedSum(weights, weights, own);
        for (int i = 0; i < m; i++) {
            double[] unit = new double[m + 1];
            unit[i] = 1;
            double square = weightedSum(unit, weights, own) - inner / 2;
            squares[i] = Double.isNaN(square) ? Double.POSITIVE_INFINITY : Math.max(0, square);
        }
        return squares;
    }

    /**
     * Weights of the result over the rows and the origin, which sum to 1; null if distances and
     * norms are not enough for the rule.
     */
    private double[] run(LookResult looked, Round round) {
        int m = round.rows();
        RowMap map = RowMap.identity(m, m);
        LookResult seen = seen(rule.look(), map, looked);
        for (int phase = 0; phase < MOST_LOOKS; phase++) {
            Step step = rule.decide(phase, map, seen, round, RuleState.NONE);
            if (step instanceof Step.Reduce reduce) {
                return reduce.reduction() instanceof Reduction.Mean ? mean(reduce.map(), m) : null;
            }
            Step.LookAgain again = (Step.LookAgain) step;
            if (!measurable(again.look())) {
                return null;
            }
            map = again.map();
            seen = seen(again.look(), map, looked);
        }
        return null;
    }

    private static boolean measurable(Look look) {
        return !look.signs()
                && look.sample() == null
                && look.references().stream().allMatch(r -> r == Reference.ORIGIN);
    }

    private static LookResult seen(Look look, RowMap map, LookResult looked) {
        int outputs = map.outputs();
        int points = look.points(outputs);
        if (look.nothing()) {
            return LookResult.nothing(points);
        }
        int m = looked.points() - 1;
        double[] origin = new double[m];
        double[][] weights = new double[points][];
        for (int p = 0; p < points; p++) {
            weights[p] = affine(p < outputs ? map.weights()[p] : origin, m);
        }
        double[] squares = new double[LookResult.pairs(points)];
        for (int a = 0; a < outputs; a++) {
            for (int b = look.pairs() ? a + 1 : outputs; b < points; b++) {
                squares[LookResult.pair(a, b, points)] = square(weights[a], weights[b], looked);
            }
        }
        return new LookResult(points, squares, products(look, weights, outputs, looked));
    }

    /** ⟨a, b⟩ = (‖a‖² + ‖b‖² − ‖a − b‖²)/2. */
    private static double[] products(
            Look look, double[][] weights, int outputs, LookResult looked) {
        int points = weights.length;
        double[] products = new double[look.products() ? LookResult.pairs(points) : 0];
        double[] origin = affine(new double[looked.points() - 1], looked.points() - 1);
        for (int a = 0; a < outputs && look.products(); a++) {
            for (int b = look.pairs() ? a + 1 : outputs; b < points; b++) {
                products[LookResult.pair(a, b, points)] =
                        (square(weights[a], origin, looked)
                                        + square(weights[b], origin, looked)
                                        - square(weights[a], weights[b], looked))
                                / 2;
            }
        }
        return products;
    }

    /**
     * The weights of the first m points, then the weight of the origin, with which they sum to 1.
     */
    private static double[] affine(double[] weights, int m) {
        double[] all = new double[m + 1];
        double sum = 0;
        for (int i = 0; i < m; i++) {
            all[i] = weights[i];
            sum += weights[i];
        }
        all[m] = Math.abs(1 - sum) < 1e-12 ? 0 : 1 - sum;
        return all;
    }

    private static double[] mean(RowMap map, int m) {
        double[] weights = new double[m];
        for (double[] output : map.weights()) {
            for (int i = 0; i < m; i++) {
                weights[i] += output[i] / map.outputs();
            }
        }
        return affine(weights, m);
    }

    /**
     * Squared distance of two mixtures. For two unchanged points, it is exactly the measured
     * number.
     */
    private static double square(double[] a, double[] b, LookResult looked) {
        double square =
                weightedSum(a, b, looked)
                        - weightedSum(a, a, looked) / 2
                        - weightedSum(b, b, looked) / 2;
        return Math.max(0, square);
    }

    /** Σ a_i b_j ‖x_i − x_j‖² over the pairs that have a weight. */
    private static double weightedSum(double[] a, double[] b, LookResult looked) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            if (a[i] != 0) {
                for (int j = 0; j < b.length; j++) {
                    if (b[j] != 0 && i != j) {
                        sum += a[i] * b[j] * looked.squaredDistance(i, j);
                    }
                }
            }
        }
        return sum;
    }

    /** The result of a look at some rows and the origin. */
    private static LookResult restricted(LookResult looked, int[] rows) {
        int m = rows.length;
        int origin = looked.points() - 1;
        double[] squares = new double[LookResult.pairs(m + 1)];
        for (int a = 0; a < m; a++) {
            for (int b = a + 1; b <= m; b++) {
                int other = b < m ? rows[b] : origin;
                squares[LookResult.pair(a, b, m + 1)] = looked.squaredDistance(rows[a], other);
            }
        }
        return new LookResult(m + 1, squares, new double[0]);
    }
}
