package dev.levee.connectors.data.internal.text;

import dev.levee.connectors.data.LabelledDataset;

import java.util.Arrays;
import java.util.List;

/** Sparse vectors in compressed rows; reading one writes its zeros too. */
final class SparseDataset extends LabelledDataset {
    private final int[] starts;
    private final int[] indexes;
    private final float[] values;
    private final int features;

    SparseDataset(
            int[] starts,
            int[] indexes,
            float[] values,
            int[] labels,
            int features,
            int classes,
            List<String> names) {
        super(labels, new int[] {features}, classes, names);
        this.starts = starts;
        this.indexes = indexes;
        this.values = values;
        this.features = features;
    }

    @Override
    public void read(int index, float[] out, int offset) {
        Arrays.fill(out, offset, offset + features, 0);
        for (int i = starts[index]; i < starts[index + 1]; i++) {
            out[offset + indexes[i]] = values[i];
        }
    }
}
