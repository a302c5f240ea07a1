package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.GradientScored;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rescales each row g to the length of the server's own gradient v, g̃ = g·c‖v‖/‖g‖, and accepts
 * the row if γ⟨v, g̃⟩ − ρ‖g̃‖² ≥ −γε. The left side estimates, to first order, how much a step
 * along the row lowers the loss on the server's data (Xie, Koyejo, Gupta, "Zeno++: Robust Fully
 * Asynchronous SGD", ICML 2020). In the paper, a round has one row. With several rows, the result
 * is the mean of the accepted rows, or zero if none is accepted.
 *
 * <p>A row's score is its factor c‖v‖/‖g‖, or 0 if it is refused.
 *
 * @param rho ρ, weight of the squared norm, not negative
 * @param epsilon ε, allowed shortfall of the estimate, not negative
 * @param c length of an accepted row in units of ‖v‖, above 0
 */
public record ZenoPlusPlus(double rho, double epsilon, double c)
        implements GradientScored, WeightedRule {
    /** The default of ρ. */
    public static final double DEFAULT_RHO = 0.002;

    public ZenoPlusPlus {
        if (!(rho >= 0 && rho < Double.POSITIVE_INFINITY)
                || !(epsilon >= 0 && epsilon < Double.POSITIVE_INFINITY)
                || !(c > 0 && c < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "zeno++: rho and epsilon must not be negative, and c must be above 0");
        }
    }

    /** Reads {@code zeno++(rho=…, epsilon=…, c=…)}. */
    public static ZenoPlusPlus of(Arguments arguments) {
        return new ZenoPlusPlus(
                arguments.number("rho", DEFAULT_RHO),
                arguments.number("epsilon", 0),
                arguments.number("c", 1));
    }

    @Override
    public String name() {
        List<String> given = new ArrayList<>();
        if (rho != DEFAULT_RHO) {
            given.add("rho=" + Arguments.text(rho));
        }
        if (epsilon != 0) {
            given.add("epsilon=" + Arguments.text(epsilon));
        }
        if (c != 1) {
            given.add("c=" + Arguments.text(c));
        }
        return given.isEmpty() ? "zeno++" : "zeno++(" + String.join(",", given) + ")";
    }

    /** Each row is judged by itself, so all rows of a round may be Byzantine. */
    @Override
    public int minimumRows(int f) {
        return RowLimit.rows(f + 1L);
    }

    @Override
    public String limit() {
        return "n ≥ f + 1";
    }

    @Override
    public boolean refuses() {
        return true;
    }

    /** c‖v‖/‖g‖ if the row passes, otherwise 0, also for zero and non-finite rows. */
    @Override
    public double score(double product, double reference, double row, double learningRate) {
        boolean usable = row > 0 && Double.isFinite(row + reference + product);
        double scale = usable ? c * Math.sqrt(reference / row) : 0;
        double gain = learningRate * scale * product - rho * scale * scale * row;
        return gain >= -learningRate * epsilon ? scale : 0;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        double[] scores = round.scores();
        int[] taken = IntStream.range(0, round.rows()).filter(i -> scores[i] > 0).toArray();
        RowMap map =
                taken.length == 0
                        ? new RowMap(new double[1][round.rows()])
                        : RowWeights.scale(scaled(taken, scores), taken, round);
        return new Step.Reduce(map, new Reduction.Mean(), RuleState.NONE, scores);
    }

    private static RowMap scaled(int[] rows, double[] scores) {
        double[][] weights = new double[rows.length][scores.length];
        for (int o = 0; o < rows.length; o++) {
            weights[o][rows[o]] = scores[rows[o]];
        }
        return new RowMap(weights);
    }
}
