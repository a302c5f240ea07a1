package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

/**
 * The mean of the {@code m} rows with the lowest scores, where a score is the sum of squared
 * distances to the n − f − 2 nearest others (Blanchard, El Mhamdi, Guerraoui, Stainer, "Machine
 * Learning with Adversaries", NeurIPS 2017, section 4; m = n − f − 2 as in Damaskinos et al.,
 * "AggregaThor", MLSys 2019).
 *
 * <p>If proven faults leave n − f − 2 below 1, one neighbor counts and one row is selected.
 *
 * @param m number of rows to average, at most n − f; 0 for n − f − 2, {@link #ALL_BUT_F} for n − f.
 *     A round with fewer than m + f rows averages n − f
 * @param score how rows are scored
 */
public record MultiKrum(int m, KrumScore score) implements WeightedRule {
    /** Value of m that averages the n − f best rows. */
    public static final int ALL_BUT_F = -1;

    public MultiKrum {
        if (m < ALL_BUT_F) {
            throw new IllegalArgumentException("multi-krum: m must be at least 1, got " + m);
        }
    }

    /** Multi-Krum with the paper's scores. */
    public MultiKrum(int m) {
        this(m, KrumScore.PAPER);
    }

    /** Reads the parameters {@code m}, {@code neighbours} and {@code plain}. */
    public static MultiKrum of(Arguments arguments) {
        int m = arguments.word("m", "").equals("n-f") ? ALL_BUT_F : arguments.positive("m", 0);
        return new MultiKrum(m, KrumScore.of(arguments));
    }

    @Override
    public String name() {
        String count = m == 0 ? "" : "m=" + (m == ALL_BUT_F ? "n-f" : m);
        return score.name("multi-krum", count);
    }

    @Override
    public int minimumRows(int f) {
        return RowLimit.rows(Math.max(2L * f + 3, (long) m + f));
    }

    @Override
    public String limit() {
        return m <= 0 ? "n ≥ 2f + 3" : "n ≥ 2f + 3 and n ≥ m + f";
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        int f = round.f();
        double[] scores = score.scores(looked, n, f);
        int wanted = m == 0 ? n - f - 2 : m == ALL_BUT_F ? n - f : Math.min(m, n - f);
        int[] chosen = Ranking.least(scores, Math.max(1, wanted));
        return new Step.Reduce(
                RowWeights.select(chosen, round), new Reduction.Mean(), RuleState.NONE, scores);
    }
}
