package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Sample;
import dev.levee.gar.Step;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Two filters at once, then the mean of what passes both, clipped to the median norm (Xu, Huang,
 * Song, Lan, "Byzantine-Robust Federated Learning through Collaborative Malicious Gradient
 * Filtering", ICDCS 2022, algorithm 2). By norm: rows within [0.1, 3] times the median norm. By
 * sign: each row's shares of positive, zero and negative values on a seeded tenth of the
 * coordinates are clustered by mean shift, and the largest cluster passes; its bandwidth is the
 * mean distance to the ⌊n/2⌋-th nearest, as in the authors' code.
 *
 * <p>A row with a norm that is not finite does not pass, and the median leaves it out. If no row
 * passes both filters, those that pass by norm are averaged; if none of these exists, every norm is
 * infinite, and so is the result.
 */
public record SignGuard() implements Rule {
    private static final double LEAST = 0.1;
    private static final double MOST = 3;
    private static final double SHARE = 0.1;
    private static final double QUANTILE = 0.5;

    private static final Look SIGNS =
            new Look(false, false, false, true, List.of(Reference.ORIGIN), Sample.share(SHARE, 0));

    @Override
    public String name() {
        return "sign-guard";
    }

    @Override
    public int minimumRows(int f) {
        return Limit.rows(2L * f + 1);
    }

    @Override
    public String limit() {
        return "n ≥ 2f + 1";
    }

    @Override
    public Look look() {
        return Look.NORMS;
    }

    @Override
    public Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state) {
        return phase == 0 ? byNorm(looked, round.rows()) : bySign(mixed, looked);
    }

    /** Remembers what each row is to be multiplied by, 0 if it is not to be used. */
    private static Step byNorm(Looked looked, int n) {
        double[] norms = Norms.of(looked, n);
        double median = Norms.median(norms);
        double[] factors = new double[n];
        for (int i = 0; i < n; i++) {
            boolean within = norms[i] >= LEAST * median && norms[i] <= MOST * median;
            factors[i] = within ? Norms.clip(norms[i], median) : 0;
        }
        return Notes.lookAgain(RowMap.identity(n, n), factors, SIGNS);
    }

    private static Step bySign(RowMap mixed, Looked looked) {
        double[] factors = Notes.of(mixed);
        int n = factors.length;
        double[][] shares = shares(looked.signs(), n);
        int[] clusters = MeanShift.clusters(shares, MeanShift.bandwidth(shares, QUANTILE));
        int largest = largest(clusters);
        int[] passed = rows(n, i -> factors[i] > 0 && clusters[i] == largest);
        if (passed.length == 0) {
            passed = rows(n, i -> factors[i] > 0);
        }
        if (passed.length == 0) {
            passed = rows(n, i -> true);
            Arrays.fill(factors, 1);
        }
        double[][] weights = new double[passed.length][n];
        for (int o = 0; o < passed.length; o++) {
            weights[o][passed[o]] = factors[passed[o]];
        }
        RowMap map = new RowMap(weights).after(Notes.rows(mixed));
        double[] positive = Arrays.stream(shares).mapToDouble(row -> row[0]).toArray();
        return new Step.Reduce(map, new Reduction.Mean(), RuleState.NONE, positive);
    }

    /** Shares of the coordinates that were drawn; without any, all rows are alike. */
    private static double[][] shares(double[] signs, int n) {
        double drawn = 0;
        for (int i = 0; i < n; i++) {
            drawn = Math.max(drawn, signs[3 * i] + signs[3 * i + 1] + signs[3 * i + 2]);
        }
        double[][] shares = new double[n][3];
        for (int k = 0; k < 3 * n && drawn > 0; k++) {
            shares[k / 3][k % 3] = signs[k] / drawn;
        }
        return shares;
    }

    private static int largest(int[] clusters) {
        int[] sizes = new int[clusters.length];
        int largest = 0;
        for (int cluster : clusters) {
            if (cluster != MeanShift.NONE) {
                sizes[cluster]++;
            }
        }
        for (int c = 1; c < sizes.length; c++) {
            largest = sizes[c] > sizes[largest] ? c : largest;
        }
        return largest;
    }

    private static int[] rows(int n, IntPredicate chosen) {
        return IntStream.range(0, n).filter(chosen).toArray();
    }
}
