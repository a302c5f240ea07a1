package dev.levee.gar.internal;

import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;

import java.util.Arrays;
import java.util.List;

/**
 * Weighted sums of rows and references. Each coordinate is summed in double in order of the points,
 * divided, and rounded to float once. Points of weight zero are not read.
 */
final class Mixer {
    private final Kernels kernels;
    private final float[][] rows;
    private final float[] previous;
    private final List<Reference> references;
    private final double[] sums;

    /** Mixes up to {@code width} coordinates at a time. */
    Mixer(
            Kernels kernels,
            float[][] rows,
            float[] previous,
            List<Reference> references,
            int width) {
        this.kernels = kernels;
        this.rows = rows;
        this.previous = previous;
        this.references = references;
        sums = new double[width];
    }

    /** Checks that each column of the map stands for a row or a reference. */
    void check(RowMap map) {
        if (map.points() > rows.length + references.size()) {
            throw new IllegalArgumentException(
                    "a row map over "
                            + map.points()
                            + " points needs that many rows and references, got "
                            + rows.length
                            + " rows and the references "
                            + references);
        }
    }

    /** Writes the coordinates from {@code from} of the weighted sum divided by a number. */
    void mix(double[] weights, double divisor, int from, int length, float[] out, int to) {
        Arrays.fill(sums, 0, length, 0);
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] != 0) {
                if (i < rows.length) {
                    add(weights[i], rows[i], from, length);
                } else {
                    addReference(weights[i], references.get(i - rows.length), from, length);
                }
            }
        }
        kernels.divide(sums, divisor, length, out, to);
    }

    private void add(double weight, float[] row, int from, int length) {
        if (weight == 1) {
            kernels.add(row, from, length, sums);
        } else {
            kernels.addScaled(weight, row, from, length, sums);
        }
    }

    private void addReference(double weight, Reference reference, int from, int length) {
        if (reference == Reference.PREVIOUS && previous != null) {
            add(weight, previous, from, length);
        } else if (reference == Reference.MEDIAN) {
            float[] median = new float[length];
            int[] starts = new int[rows.length];
            Arrays.fill(starts, from);
            new OrderStatistics(kernels, rows.length)
                    .median(false, rows, starts, length, median, 0);
            add(weight, median, 0, length);
        }
    }
}
