package dev.levee.connectors.data.internal;

import dev.levee.connectors.data.Dataset;

import java.util.Arrays;

/** Sparse vectors in compressed rows; reading one writes its zeros too. */
final class SparseDataset implements Dataset {
    private final int[] starts;
    private final int[] indexes;
    private final float[] values;
    private final int[] labels;
    private final int classes;
    private final int features;

    SparseDataset(
            int[] starts, int[] indexes, float[] values, int[] labels, int classes, int features) {
        this.starts = starts;
        this.indexes = indexes;
        this.values = values;
        this.labels = labels;
        this.classes = classes;
        this.features = features;
    }

    @Override
    public int size() {
        return labels.length;
    }

    @Override
    public int[] shape() {
        return new int[] {features};
    }

    @Override
    public int classes() {
        return classes;
    }

    @Override
    public int label(int index) {
        return labels[index];
    }

    @Override
    public void read(int index, float[] out, int offset) {
        Arrays.fill(out, offset, offset + features, 0);
        for (int i = starts[index]; i < starts[index + 1]; i++) {
            out[offset + indexes[i]] = values[i];
        }
    }
}
