package dev.levee.gar.rules;

import dev.levee.gar.LookResult;
import dev.levee.gar.RowMap;

import java.util.Arrays;

/** Norms of rows, and their median. */
final class Norms {
    private Norms() {}

    /** The norm of each row, from a look whose first reference is the origin. */
    static double[] of(LookResult looked, int rows) {
        return of(looked, rows, 0);
    }

    /** The distance of each row from a look's reference; infinite for non-finite rows. */
    static double[] of(LookResult looked, int rows, int reference) {
        double[] norms = new double[rows];
        for (int i = 0; i < rows; i++) {
            norms[i] = Ranking.worst(Math.sqrt(looked.squaredDistance(i, rows + reference)));
        }
        return norms;
    }

    /**
     * The median of the finite norms; for an even number, the mean of the two middle ones; 0 if
     * there are none.
     */
    static double median(double[] norms) {
        double[] sorted = Arrays.stream(norms).filter(Double::isFinite).sorted().toArray();
        int n = sorted.length;
        return n == 0 ? 0 : sorted[(n - 1) / 2] / 2 + sorted[n / 2] / 2;
    }

    /** The factor that clips a row of this norm to a bound; zero for non-finite norms. */
    static double clip(double norm, double bound) {
        return norm < Double.POSITIVE_INFINITY ? norm <= bound ? 1 : bound / norm : 0;
    }

    /** Clips all rows, whose norms these are, to a bound. */
    static RowMap clipped(double[] norms, double bound) {
        double[][] weights = new double[norms.length][norms.length];
        for (int i = 0; i < norms.length; i++) {
            weights[i][i] = clip(norms[i], bound);
        }
        return new RowMap(weights);
    }
}
