package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.PreAggregation;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;

/**
 * Scales each row down to a bound on its norm: row × min(1, c/‖row‖). A row whose norm is not
 * finite becomes zero.
 *
 * @param c the largest Euclidean norm that a row keeps, above 0
 */
public record Clip(double c) implements PreAggregation {
    public Clip {
        if (!(c > 0)) {
            throw new IllegalArgumentException(
                    "clip: the bound c must be above 0, got " + Arguments.text(c));
        }
    }

    @Override
    public String name() {
        return "clip(" + Arguments.text(c) + ")";
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
    public RowMap map(Looked looked, Round round) {
        int n = round.rows();
        double[][] weights = new double[n][n];
        for (int i = 0; i < n; i++) {
            double norm = Math.sqrt(looked.squaredDistance(i, n));
            weights[i][i] = norm <= c ? 1 : norm < Double.POSITIVE_INFINITY ? c / norm : 0;
        }
        return new RowMap(weights);
    }
}
