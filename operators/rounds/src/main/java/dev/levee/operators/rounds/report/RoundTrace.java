package dev.levee.operators.rounds.report;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.operators.rounds.vector.ModelDigest;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Entries of a log of rounds beyond {@link dev.levee.operators.rounds.training.RoundReport}.
 *
 * @param asked ids of the participants, in order
 * @param losses training losses that the senders of the rows reported, in the order of the rows;
 *     NaN where one reported none
 * @param distances mean distance of each row to its nearest half of the others, in the order of the
 *     rows; empty if rows are not kept
 * @param model SHA-256 of the parameters after the round, as {@link ModelDigest} computes it
 */
public record RoundTrace(int[] asked, double[] losses, double[] distances, byte[] model)
        implements Serializable {
    /** True if a look measures the distances between all rows. */
    public static boolean sees(Look look) {
        return look.pairs() && look.distances();
    }

    /**
     * The mean distance of each row to the nearest half of the others, which are ⌈(rows − 1) / 2⌉
     * rows. A Byzantine minority is too small to be that half alone, however close its rows are to
     * each other.
     *
     * @param looked measurements of a look that {@link #sees} these distances; the rows are the
     *     first points
     * @return empty for fewer than two rows
     */
    public static double[] nearest(LookResult looked, int rows) {
        if (rows < 2) {
            return new double[0];
        }
        int near = rows / 2;
        double[] means = new double[rows];
        for (int row = 0; row < rows; row++) {
            double[] others = new double[rows - 1];
            for (int i = 0; i < others.length; i++) {
                others[i] = Math.sqrt(looked.squaredDistance(row, i < row ? i : i + 1));
            }
            Arrays.sort(others);
            means[row] = Arrays.stream(others).limit(near).sum() / near;
        }
        return means;
    }
}
