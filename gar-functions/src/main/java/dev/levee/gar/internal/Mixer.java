package dev.levee.gar.internal;

import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;

import java.util.Arrays;
import java.util.List;

/**
 * Computes weighted sums of rows and references. Each coordinate is summed in double in order of
 * the points, divided, and rounded to float once. Points with weight zero are not read.
 */
final class Mixer {
    private final Kernels kernels;
    private final RowReader rows;
    private final float[] previous;
    private final List<Reference> references;

    /** The points that a sum reads: weights, arrays and start indices of their chunks. */
    private final double[] used;

    private final float[][] points;
    private final int[] starts;

    Mixer(Kernels kernels, RowReader rows, float[] previous, List<Reference> references) {
        this.kernels = kernels;
        this.rows = rows;
        this.previous = previous;
        this.references = references;
        int all = rows.count() + references.size();
        used = new double[all];
        points = new float[all][];
        starts = new int[all];
    }

    /** Checks that each column with a weight is a row or a reference. */
    void check(RowMap map) {
        for (int i = rows.count() + references.size(); i < map.points(); i++) {
            if (map.uses(i)) {
                throw new IllegalArgumentException(
                        ("a row map over %s points needs that many rows and references, "
                                        + "got %s rows and the references %s")
                                .formatted(map.points(), rows.count(), references));
            }
        }
    }

    /**
     * Writes coordinates of a weighted sum divided by a divisor. The caller has read the rows'
     * coordinates from {@code from} on.
     */
    void mix(double[] weights, double divisor, int from, int length, float[] out, int to) {
        int read = 0;
        for (int i = 0; i < weights.length; i++) {
            float[] point = weights[i] == 0 ? null : point(i, length);
            if (point != null) {
                used[read] = weights[i];
                points[read] = point;
                starts[read] = start(i, point, from);
                read++;
            }
        }
        Rows x = new Rows(points, starts, length);
        if (read == 2 && divisor == 1 && Math.abs(used[0]) == 1 && used[1] == -used[0]) {
            int plus = used[0] == 1 ? 0 : 1;
            kernels.subtract(x, plus, 1 - plus, out, to);
            return;
        }
        kernels.combine(unweighted(read) ? null : used, x, read, divisor, out, to);
    }

    /** The index of a point's first coordinate, {@code from} of the vector, in its array. */
    int start(int i, float[] point, int from) {
        if (i < rows.count()) {
            return rows.start(i);
        }
        return point == previous ? from : 0;
    }

    private boolean unweighted(int read) {
        for (int r = 0; r < read; r++) {
            if (used[r] != 1) {
                return false;
            }
        }
        return true;
    }

    boolean isOrigin(int i) {
        return i >= rows.count() && references.get(i - rows.count()) == Reference.ORIGIN;
    }

    /** A row, or the array of a reference; null for the zero vector. */
    float[] point(int i, int length) {
        if (i < rows.count()) {
            return rows.row(i);
        }
        return switch (references.get(i - rows.count())) {
            case ORIGIN -> null;
            case PREVIOUS -> previous;
            case MEDIAN -> median(length);
        };
    }

    private float[] median(int length) {
        float[] median = new float[length];
        float[][] all = new float[rows.count()][];
        Arrays.setAll(all, rows::row);
        int[] from = new int[all.length];
        Arrays.setAll(from, rows::start);
        new OrderStatistics(kernels, all.length)
                .median(false, new Rows(all, from, length), median, 0);
        return median;
    }
}
