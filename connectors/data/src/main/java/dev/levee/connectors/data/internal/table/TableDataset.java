package dev.levee.connectors.data.internal.table;

import dev.levee.connectors.data.LabelledDataset;

import java.util.List;

/** Rows of a table, whose features are made when they are read. */
final class TableDataset extends LabelledDataset {
    private final float[][] rows;
    private final TableFeatures features;

    TableDataset(
            float[][] rows,
            int[] labels,
            TableFeatures features,
            int[] shape,
            int classes,
            List<String> names) {
        super(labels, shape, classes, names);
        this.rows = rows;
        this.features = features;
    }

    @Override
    public void read(int index, float[] out, int offset) {
        features.write(rows[index], out, offset);
    }
}
