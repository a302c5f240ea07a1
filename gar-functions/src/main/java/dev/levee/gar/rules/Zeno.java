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
import java.util.List;

/**
 * The mean of the n − b rows with the highest score(v) = F(x) − F(x − γv) − ρ‖v‖², the amount by
 * which a step along v would lower the loss F on the server's own data (Xie, Koyejo, Gupta, "Zeno:
 * Distributed Stochastic Gradient Descent with Suspicion-based Fault-tolerance", ICML 2019,
 * definition 2). {@link Round#scores} are the differences of losses.
 *
 * @param rho ρ, weight of the squared norm, not negative
 * @param b rows to drop, 0 for f
 * @param meanSquare whether ‖v‖² is divided by the number of coordinates, as in the authors' code
 */
public record Zeno(double rho, int b, boolean meanSquare) implements WeightedRule {
    /** The paper's ρ. */
    public static final double DEFAULT_RHO = 0.0005;

    /**
     * Counts signs, because a row's positive, zero and negative values add up to its length, by
     * which Zeno divides.
     */
    private static final Look LOOK =
            new Look(false, true, false, true, List.of(Reference.ORIGIN), null);

    public Zeno {
        if (!(rho >= 0 && rho < Double.POSITIVE_INFINITY) || b < 0) {
            throw new IllegalArgumentException("zeno: rho and b must not be negative");
        }
    }

    @Override
    public String name() {
        List<String> given = new ArrayList<>();
        if (rho != DEFAULT_RHO) {
            given.add("rho=" + Arguments.text(rho));
        }
        if (b > 0) {
            given.add("b=" + b);
        }
        if (meanSquare) {
            given.add("mean-square");
        }
        return given.isEmpty() ? "zeno" : "zeno(" + String.join(",", given) + ")";
    }

    @Override
    public int minimumRows(int f) {
        return RowLimit.rows(Math.max(b, f) + 1L);
    }

    @Override
    public String limit() {
        return b == 0 ? "n ≥ f + 1" : "n ≥ b + 1 and n ≥ f + 1";
    }

    @Override
    public Look look() {
        return LOOK;
    }

    @Override
    public boolean needsScores() {
        return true;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        double[] scores = new double[n];
        double[] worst = new double[n];
        for (int i = 0; i < n; i++) {
            double norm = Ranking.worst(looked.squaredDistance(i, n));
            double penalty = rho * (meanSquare ? norm / coordinates(looked, i) : norm);
            boolean usable = norm < Double.POSITIVE_INFINITY && !Double.isNaN(round.scores()[i]);
            scores[i] = usable ? round.scores()[i] - penalty : Double.NEGATIVE_INFINITY;
            worst[i] = -scores[i];
        }
        int[] chosen = Ranking.least(worst, n - (b == 0 ? round.f() : b));
        RowMap best = RowWeights.select(chosen, round);
        return new Step.Reduce(best, new Reduction.Mean(), RuleState.NONE, scores);
    }

    private static double coordinates(LookResult looked, int row) {
        double[] signs = looked.signs();
        return Math.max(1, signs[3 * row] + signs[3 * row + 1] + signs[3 * row + 2]);
    }
}
