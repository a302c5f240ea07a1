package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.PreAggregation;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;

import java.util.Arrays;

/**
 * Adaptive robust clipping: scales the k = ⌊2(f/n)(n − f)⌋ rows of largest norm down to the next
 * largest norm (Allouah, Guerraoui, Gupta, Jellouli, Rizk, Stephan, "Boosting Robustness by
 * Clipping Gradients in Distributed Learning", 2024, algorithm 2). A row that is not finite becomes
 * zero.
 */
public record AdaptiveClipping() implements PreAggregation {
    @Override
    public String name() {
        return "arc";
    }

    @Override
    public int minimumRows(int f) {
        return RowLimit.rows(2L * f + 1);
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
    public boolean takesWeights() {
        return true;
    }

    @Override
    public RowMap map(LookResult looked, Round round) {
        int n = round.rows();
        int f = round.f();
        double[] norms = Norms.of(looked, n);
        double[] sorted = norms.clone();
        Arrays.sort(sorted);
        int clipped = (int) (2L * f * (n - f) / n);
        return Norms.clipped(norms, sorted[Math.max(0, n - 1 - clipped)]);
    }
}
