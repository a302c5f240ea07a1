package dev.levee.gar;

import java.io.Serializable;
import java.util.stream.IntStream;

/**
 * A small linear map M with {@code k} output rows, each a weighted sum of the round's {@code n}
 * rows and the look's references. {@code weights[o][i]} is the weight of point {@code i} (rows
 * first, then references) in output row {@code o}. Rows with weight zero are not read, so their
 * NaNs do not spread.
 *
 * @param weights k rows of equal length
 */
public record RowMap(double[][] weights) implements Serializable {
    public RowMap {
        if (weights.length == 0) {
            throw new IllegalArgumentException("a row map needs at least one output row");
        }
    }

    /**
     * The map over {@code points} points whose outputs are the first {@code rows} points,
     * unchanged.
     */
    public static RowMap identity(int rows, int points) {
        double[][] weights = new double[rows][points];
        for (int i = 0; i < rows; i++) {
            weights[i][i] = 1;
        }
        return new RowMap(weights);
    }

    /**
     * The map that selects rows.
     *
     * @param rows the row that each output copies, below {@code points}
     * @param points number of points
     */
    public static RowMap select(int[] rows, int points) {
        double[][] weights = new double[rows.length][points];
        for (int o = 0; o < rows.length; o++) {
            weights[o][rows[o]] = 1;
        }
        return new RowMap(weights);
    }

    /**
     * The product M₂·M₁ of this map and another, for mixing rows that are already mixtures.
     *
     * @param first M₁, with k₁ output rows
     * @return this map's outputs over the points of {@code first}, followed by the points beyond k₁
     *     that this map reads (its references)
     */
    public RowMap after(RowMap first) {
        int rows = first.outputs();
        int extra = points() - rows;
        if (extra < 0) {
            throw new IllegalArgumentException(
                    "a map over " + points() + " points cannot follow one with " + rows + " rows");
        }
        double[][] product = new double[outputs()][first.points() + extra];
        int[] selected = IntStream.range(0, rows).map(first::selected).toArray();
        for (int o = 0; o < product.length; o++) {
            for (int r = 0; r < rows; r++) {
                double weight = weights[o][r];
                if (weight != 0 && selected[r] >= 0) {
                    product[o][selected[r]] += weight;
                } else if (weight != 0) {
                    for (int i = 0; i < first.points(); i++) {
                        product[o][i] += weight * first.weights[r][i];
                    }
                }
            }
            System.arraycopy(weights[o], rows, product[o], first.points(), extra);
        }
        return new RowMap(product);
    }

    /** The point that output {@code o} is an unchanged copy of, or -1 if it is a mixture. */
    public int selected(int o) {
        int found = -1;
        for (int i = 0; i < weights[o].length; i++) {
            if (weights[o][i] != 0) {
                if (found >= 0 || weights[o][i] != 1) {
                    return -1;
                }
                found = i;
            }
        }
        return found;
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
