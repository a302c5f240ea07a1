package dev.levee.gar;

import java.io.Serializable;

/**
 * A small linear map M: {@code k} output rows, each a weighted sum of the round's {@code n} rows
 * and of the look's references. Entry {@code weights[o][i]} is the weight of point {@code i} (rows
 * first, then references) in output row {@code o}. A weight of exactly zero means that the row is
 * not read, so a NaN in it does not spread.
 *
 * @param weights k rows of equal length
 */
public record RowMap(double[][] weights) implements Serializable {
    public RowMap {
        if (weights.length == 0) {
            throw new IllegalArgumentException("a row map needs at least one output row");
        }
    }

    /** The map that leaves {@code rows} rows as they are, out of {@code points} points. */
    public static RowMap identity(int rows, int points) {
        double[][] weights = new double[rows][points];
        for (int i = 0; i < rows; i++) {
            weights[i][i] = 1;
        }
        return new RowMap(weights);
    }

    /** Number of output rows. */
    public int outputs() {
        return weights.length;
    }

    /** Number of points read: the round's rows and the references. */
    public int points() {
        return weights[0].length;
    }

    /** True if point {@code i} has a weight other than zero in any output row. */
    public boolean uses(int i) {
        for (double[] output : weights) {
            if (output[i] != 0) {
                return true;
            }
        }
        return false;
    }
}
