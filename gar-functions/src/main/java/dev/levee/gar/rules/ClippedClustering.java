package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Clips rows to the median of the norms of all rows seen so far, splits them into two clusters by
 * average linkage on cosine distances, and averages the larger cluster (ties: that of the lowest
 * row) (Li, Ngai, Voigt, "An Experimental Study of Byzantine-Robust Aggregation Schemes in
 * Federated Learning", IEEE Transactions on Big Data 2023, section 4).
 *
 * <p>The state is the norms of the last 10,000 rows, in order of rounds and rows. Rows with a
 * non-finite norm are neither clustered nor remembered; if all rows are such, all are averaged. A
 * zero row has distance 1 from every other row.
 */
public record ClippedClustering() implements MajorityRule, WeightedRule {
    /** Number of most recent norms that are kept to compute their median. */
    static final int MEMORY = 10_000;

    @Override
    public String name() {
        return "clipped-clustering";
    }

    @Override
    public Look look() {
        return new Look(true, true, true, List.of(Reference.ORIGIN));
    }

    @Override
    public boolean remembers() {
        return true;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        double[] norms = Norms.of(looked, n);
        int[] rows = IntStream.range(0, n).filter(i -> Double.isFinite(norms[i])).toArray();
        if (rows.length == 0) {
            return new Step.Reduce(RowMap.identity(n, n), new Reduction.Mean(), state, norms);
        }
        RuleState seen = remember(state, norms, rows);
        double bound = Norms.median(seen.values());
        boolean[] larger = AverageLinkage.larger(cosineDistances(looked, norms, rows));
        int[] chosen = IntStream.range(0, rows.length).filter(i -> larger[i]).toArray();
        double[][] weights = new double[chosen.length][n];
        int[] averaged = new int[chosen.length];
        for (int o = 0; o < chosen.length; o++) {
            averaged[o] = rows[chosen[o]];
            weights[o][averaged[o]] = Norms.clip(norms[averaged[o]], bound);
        }
        return new Step.Reduce(
                RowWeights.scale(new RowMap(weights), averaged, round),
                new Reduction.Mean(),
                seen,
                norms);
    }

    private static RuleState remember(RuleState state, double[] norms, int[] rows) {
        double[] before = state.values();
        double[] all = Arrays.copyOf(before, before.length + rows.length);
        for (int i = 0; i < rows.length; i++) {
            all[before.length + i] = norms[rows[i]];
        }
        return new RuleState(Arrays.copyOfRange(all, Math.max(0, all.length - MEMORY), all.length));
    }

    private static double[][] cosineDistances(LookResult looked, double[] norms, int[] rows) {
        double[][] distances = new double[rows.length][rows.length];
        for (int a = 0; a < rows.length; a++) {
            for (int b = a + 1; b < rows.length; b++) {
                int i = rows[a];
                int j = rows[b];
                double cosine = looked.innerProduct(i, j) / norms[i] / norms[j];
                distances[a][b] = 1 - (Double.isFinite(cosine) ? clamp(cosine) : 0);
                distances[b][a] = distances[a][b];
            }
        }
        return distances;
    }

    private static double clamp(double cosine) {
        return Math.max(-1, Math.min(1, cosine));
    }
}
