package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;
import dev.levee.gar.internal.eigen.LeadingEigen;

import java.util.Arrays;

/**
 * Covariance-bound agnostic filter: lowers the weights of rows along the direction of largest
 * variance until their total is at most n − 2f, and returns the weighted mean with the smallest
 * variance seen (Allouah, Guerraoui, Stephan, "Towards Trustworthy Federated Learning with
 * Untrusted Participants", 2025, algorithm 2). The direction comes from the matrix of inner
 * products: see {@link LeadingEigen}.
 */
public record Caf() implements MajorityRule {
    /**
     * If a smaller share of a weight remains, it is a rounding error and the weight becomes zero.
     */
    private static final double ROUNDING = 0x1p-40;

    @Override
    public String name() {
        return "caf";
    }

    @Override
    public Look look() {
        return AnchoredRows.FIRST;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int n = round.rows();
        if (phase == 0) {
            return AnchoredRows.products(looked, n, round.f());
        }
        double[] weights = filter(AnchoredRows.noted(mixed, looked, n), n - 2 * round.f());
        return new Step.Reduce(
                AnchoredRows.combine(weights).after(RowNotes.rows(mixed)),
                new Reduction.Mean(),
                RuleState.NONE,
                weights);
    }

    private static double[] filter(AnchoredRows rows, int enough) {
        int n = rows.rows();
        double[] c = new double[n];
        for (int i = 0; i < n; i++) {
            c[i] = rows.finite(i) ? 1 : 0;
        }
        double[] best = rows.mean(c);
        double least = Double.POSITIVE_INFINITY;
        for (double sum = Arrays.stream(c).sum(); sum > enough; sum = Arrays.stream(c).sum()) {
            double[] weights = new double[n];
            for (int i = 0; i < n; i++) {
                weights[i] = c[i] / sum;
            }
            LeadingEigen eigen = LeadingEigen.of(rows.covariance(weights));
            if (eigen.value() < least) {
                least = eigen.value();
                best = weights;
            }
            if (!(eigen.value() > 0)) {
                break; // all remaining rows are equal
            }
            lower(c, eigen.vector());
        }
        return best;
    }

    /**
     * Lowers each weight by its row's share of the largest squared projection. The projection of
     * row i is the eigenvector's component i over the root of its weight, up to a common factor.
     * Rows with weight zero are ignored in the maximum, so each step removes at least one more row.
     */
    private static void lower(double[] c, double[] vector) {
        double[] squared = new double[c.length];
        double largest = 0;
        for (int i = 0; i < c.length; i++) {
            squared[i] = c[i] > 0 ? vector[i] * vector[i] / c[i] : 0;
            largest = Math.max(largest, squared[i]);
        }
        for (int i = 0; i < c.length; i++) {
            double share = 1 - squared[i] / largest;
            c[i] = share < ROUNDING ? 0 : c[i] * share;
        }
    }
}
