package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Steps from the previous aggregate v toward the rows, where each row pulls with at most the length
 * τ: v ← v + (1/n) Σ (x_i − v)·min(1, τ/‖x_i − v‖), several times (Karimireddy, He, Jaggi,
 * "Learning from History for Byzantine Robust Optimization", ICML 2021, algorithm 2). A row that is
 * not finite does not pull. In the first round v is zero.
 *
 * <p>With {@code tau=auto}, τ is the median distance of the rows from v in each step. Fewer than
 * half of the rows cannot move this median beyond the distances of the others. Weighted rows pull
 * in proportion to their weights.
 *
 * @param tau τ, above 0, or {@link #AUTO}
 * @param iterations how many steps, at least 1
 */
public record CenteredClipping(double tau, int iterations) implements MajorityRule, WeightedRule {
    /** The paper's τ without momentum. */
    public static final double DEFAULT_TAU = 10;

    /** The τ that stands for the median distance. */
    public static final double AUTO = -1;

    private static final Look ONE_STEP = new Look(false, true, false, List.of(Reference.PREVIOUS));

    /** The look at the differences of the rows from the previous aggregate. */
    private static final Look DIFFERENCES =
            new Look(true, true, true, List.of(Reference.PREVIOUS, Reference.ORIGIN));

    public CenteredClipping {
        if (!(tau > 0) && tau != AUTO) {
            throw new IllegalArgumentException(
                    "centered-clipping: tau must be above 0, got " + Arguments.text(tau));
        }
        Arguments.checkAtLeast("centered-clipping: iterations", 1, iterations);
    }

    /** Reads {@code tau}, a number or {@code auto}, and {@code iterations}. */
    public static CenteredClipping of(Arguments arguments) {
        int iterations = arguments.positive("iterations", 1);
        if (arguments.word("tau", "").equals("auto")) {
            return new CenteredClipping(AUTO, iterations);
        }
        double tau = arguments.number("tau", DEFAULT_TAU);
        if (!(tau > 0)) {
            throw new IllegalArgumentException(
                    "centered-clipping: tau must be above 0 or auto, got " + Arguments.text(tau));
        }
        return new CenteredClipping(tau, iterations);
    }

    @Override
    public String name() {
        List<String> given = new ArrayList<>();
        if (tau != DEFAULT_TAU) {
            given.add("tau=" + (tau == AUTO ? "auto" : Arguments.text(tau)));
        }
        if (iterations > 1) {
            given.add("iterations=" + iterations);
        }
        return given.isEmpty()
                ? "centered-clipping"
                : "centered-clipping(" + String.join(",", given) + ")";
    }

    @Override
    public Look look() {
        return iterations == 1 ? ONE_STEP : Look.NOTHING;
    }

    @Override
    public boolean needsPrevious() {
        return true;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        if (iterations == 1) {
            double[] norms = Norms.of(looked, n);
            return step(norms, bound(norms), round);
        }
        if (phase == 0) {
            double[][] differences = new double[n][n + 1];
            for (int i = 0; i < n; i++) {
                differences[i][i] = 1;
                differences[i][n] = -1;
            }
            return new Step.LookAgain(new RowMap(differences), DIFFERENCES);
        }
        double[] norms = Norms.of(looked, n, 1);
        double[] steps = steps(AnchoredRows.seen(looked, n), pulls(round));
        // The result is the previous aggregate, with weight 1, plus the weighted differences.
        double[] weights = new RowMap(new double[][] {steps}).after(mixed).weights()[0];
        weights[weights.length - 1] += 1;
        return reduce(weights, norms);
    }

    /** Weight of each row, with mean 1. */
    private static double[] pulls(Round round) {
        double[] counts = RowWeights.counts(IntStream.range(0, round.rows()).toArray(), round);
        double mean = Arrays.stream(counts).sum() / counts.length;
        return Arrays.stream(counts).map(count -> count / mean).toArray();
    }

    private double bound(double[] distances) {
        return tau == AUTO ? Norms.median(distances) : tau;
    }

    /** A step from the previous aggregate, given the rows' distances from it. */
    static Step step(double[] norms, double bound, Round round) {
        int n = norms.length;
        double[] counts = pulls(round);
        double[] weights = new double[n + 1];
        weights[n] = 1;
        for (int i = 0; i < n; i++) {
            weights[i] = counts[i] * Norms.clip(norms[i], bound) / n;
            weights[n] -= weights[i];
        }
        return reduce(weights, norms);
    }

    /**
     * The weight of each difference in the sum that is added to the previous aggregate.
     *
     * @param rows the differences, where the previous aggregate takes the place of an anchor row
     */
    private double[] steps(AnchoredRows rows, double[] counts) {
        int n = rows.rows();
        double[] sum = new double[n];
        for (int iteration = 0; iteration < iterations; iteration++) {
            double[] distances = rows.distances(sum);
            double bound = bound(distances);
            double[] pulls = new double[n];
            double all = 0;
            for (int i = 0; i < n; i++) {
                pulls[i] = counts[i] * Norms.clip(distances[i], bound) / n;
                all += pulls[i];
            }
            for (int i = 0; i < n; i++) {
                sum[i] = sum[i] * (1 - all) + pulls[i];
            }
        }
        return sum;
    }

    private static Step reduce(double[] weights, double[] norms) {
        RowMap map = new RowMap(new double[][] {weights});
        return new Step.Reduce(map, new Reduction.Mean(), RuleState.NONE, norms);
    }
}
