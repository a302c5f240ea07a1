package dev.levee.gar.attacks;

import java.util.Arrays;

/**
 * Computes per-coordinate statistics of the honest rows, in double and in order of the rows. It
 * processes a few coordinates at a time, so that the extra memory does not grow with the vector.
 */
final class HonestRows {
    /** Maximum number of coordinates of one visit. */
    static final int WIDTH = 2048;

    /** Receives the statistics of consecutive coordinates. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Receives the statistics of consecutive coordinates, in one call per group.
         *
         * @param from the first coordinate
         * @param count number of coordinates
         * @param means their means, from index 0
         * @param deviations their standard deviations with ddof 1, from index 0; 0 if there is one
         *     row
         */
        void visit(int from, int count, double[] means, double[] deviations);
    }

    private final float[][] rows;
    private final int length;

    HonestRows(float[][] honest, int length) {
        if (honest.length == 0) {
            throw new IllegalArgumentException("the attack needs at least one honest row to see");
        }
        this.rows = honest;
        this.length = length;
    }

    int count() {
        return rows.length;
    }

    int length() {
        return length;
    }

    float[][] rows() {
        return rows;
    }

    /** Visits the statistics of all coordinates in order. */
    void forEach(Visitor visitor) {
        forEach(true, visitor);
    }

    /** Visits all coordinates in order; the deviations are not computed. */
    void forEachMean(Visitor visitor) {
        forEach(false, visitor);
    }

    private void forEach(boolean spread, Visitor visitor) {
        double[] means = new double[WIDTH];
        double[] deviations = new double[WIDTH];
        for (int from = 0; from < length; from += WIDTH) {
            int count = Math.min(WIDTH, length - from);
            means(from, count, means);
            if (spread && rows.length > 1) {
                deviations(from, count, means, deviations);
            }
            visitor.visit(from, count, means, deviations);
        }
    }

    private void means(int from, int count, double[] means) {
        float[] first = rows[0];
        for (int i = 0; i < count; i++) {
            means[i] = first[from + i];
        }
        for (int r = 1; r < rows.length; r++) {
            float[] row = rows[r];
            for (int i = 0; i < count; i++) {
                means[i] += row[from + i];
            }
        }
        for (int i = 0; i < count; i++) {
            means[i] /= rows.length;
        }
    }

    private void deviations(int from, int count, double[] means, double[] deviations) {
        Arrays.fill(deviations, 0, count, 0);
        for (float[] row : rows) {
            for (int i = 0; i < count; i++) {
                double difference = row[from + i] - means[i];
                deviations[i] += difference * difference;
            }
        }
        for (int i = 0; i < count; i++) {
            deviations[i] = Math.sqrt(deviations[i] / (rows.length - 1));
        }
    }

    /** The row {@code factor}·mean. */
    float[] mean(double factor) {
        float[] row = new float[length];
        forEachMean(
                (from, count, means, deviations) -> {
                    for (int i = 0; i < count; i++) {
                        row[from + i] = (float) (factor * means[i]);
                    }
                });
        return row;
    }

    /** The row mean − {@code z}·deviation. */
    float[] meanMinus(double z) {
        float[] row = new float[length];
        forEach(
                (from, count, means, deviations) -> {
                    for (int i = 0; i < count; i++) {
                        row[from + i] = (float) (means[i] - z * deviations[i]);
                    }
                });
        return row;
    }

    /** Squared distance of a row to the mean; NaN if the row is not finite. */
    double squaredDistanceToMean(float[] row) {
        double[] total = new double[1];
        forEachMean(
                (from, count, means, deviations) -> {
                    double sum = 0;
                    for (int i = 0; i < count; i++) {
                        double difference = row[from + i] - means[i];
                        sum += difference * difference;
                    }
                    total[0] += sum;
                });
        return total[0] < Double.POSITIVE_INFINITY ? total[0] : Double.NaN;
    }
}
