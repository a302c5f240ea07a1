package dev.levee.connectors.data.internal.table;

import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.internal.table.TableColumns.Role;

import java.util.Arrays;

/**
 * Turns rows of a table into features: numbers are shifted and scaled, missing ones filled in, and
 * each category becomes a feature. Means and deviations are those of the training samples.
 */
public final class TableFeatures {
    private final int[] categories;
    private final float[] fill;
    private final double[] shift;
    private final double[] factor;

    /** True for slots that are no feature: targets, owners, and columns without a category. */
    private final boolean[] beside;

    private final int length;

    /**
     * @param train the training file's table
     * @param samples the rows of {@code train} that are training samples
     */
    public TableFeatures(DatasetUri uri, Table train, int[] samples) {
        TableColumns columns = train.columns();
        int width = columns.width();
        categories = new int[width];
        beside = new boolean[width];
        long features = width;
        for (int column = 0; column < columns.count(); column++) {
            if (columns.role(column) == Role.CATEGORY) {
                int count = train.categories()[column].size();
                categories[columns.slot(column)] = count;
                beside[columns.slot(column)] = count == 0;
                features += count - 1;
            }
        }
        for (int slot : columns.targetSlots()) {
            beside[slot] = true;
            features--;
        }
        if (columns.ownerSlot() >= 0) {
            beside[columns.ownerSlot()] = true;
            features--;
        }
        if (features == 0) {
            throw new IllegalArgumentException(
                    uri.text() + " has no features: its categories are all missing");
        }
        if (features > Integer.MAX_VALUE / 8) {
            throw new IllegalArgumentException(uri.text() + " has too many features: " + features);
        }
        length = (int) features;
        fill = new float[width];
        shift = new double[width];
        factor = new double[width];
        Arrays.fill(factor, 1);
        boolean standard = TableOptions.standard(uri);
        if (standard || TableOptions.fillsMean(uri)) {
            measure(train.rows(), samples, standard);
        }
        if (!TableOptions.fillsMean(uri)) {
            Arrays.fill(fill, 0);
        }
    }

    /**
     * Computes means and deviations. Sums follow the order of the samples, so that the same file
     * always gives the same features.
     */
    private void measure(float[][] rows, int[] samples, boolean standard) {
        int width = fill.length;
        long[] counts = new long[width];
        double[] means = new double[width];
        double[] squares = new double[width];
        for (int sample : samples) {
            for (int slot = 0; slot < width; slot++) {
                float value = rows[sample][slot];
                if (!Float.isNaN(value)) {
                    double from = value - means[slot];
                    means[slot] += from / ++counts[slot];
                    squares[slot] += from * (value - means[slot]);
                }
            }
        }
        for (int slot = 0; slot < width; slot++) {
            fill[slot] = (float) means[slot];
            if (standard && categories[slot] == 0) {
                double deviation = Math.sqrt(squares[slot] / Math.max(1, counts[slot]));
                shift[slot] = means[slot];
                factor[slot] = deviation > 0 ? 1 / deviation : 1;
            }
        }
    }

    /** Number of features of a sample. */
    int length() {
        return length;
    }

    /** Writes the features of a row. */
    void write(float[] row, float[] out, int offset) {
        int at = offset;
        for (int slot = 0; slot < row.length; slot++) {
            float value = row[slot];
            if (beside[slot]) {
                continue;
            }
            if (categories[slot] > 0) {
                Arrays.fill(out, at, at + categories[slot], 0);
                if (!Float.isNaN(value)) {
                    out[at + (int) value] = 1;
                }
                at += categories[slot];
            } else {
                float number = Float.isNaN(value) ? fill[slot] : value;
                out[at++] = (float) ((number - shift[slot]) * factor[slot]);
            }
        }
    }
}
