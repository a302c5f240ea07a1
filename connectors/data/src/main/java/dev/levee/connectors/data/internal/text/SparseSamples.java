package dev.levee.connectors.data.internal.text;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.LabelledDataset;
import dev.levee.connectors.data.TargetDataset;
import dev.levee.connectors.data.internal.table.Numbers;

import java.util.Arrays;
import java.util.List;

/** A growing list of labeled sparse vectors, filled while a file is read. */
final class SparseSamples {
    private double[] labels = new double[64];
    private int[] ends = new int[64];
    private int size;
    private int[] indexes = new int[1024];
    private float[] values = new float[1024];
    private int entries;
    private int most = -1;

    /** The index of the first feature: 1, until an index 0 occurs. */
    private int first = 1;

    /** Sets indexes to start at 0 instead of 1. */
    void startAtZero() {
        first = 0;
    }

    /** True if indexes start at 0. */
    boolean startsAtZero() {
        return first == 0;
    }

    /** Adds a feature to the current sample, which {@link #add} ends. Zeros are not stored. */
    void put(int index, float value) {
        most = Math.max(most, index);
        if (value == 0) {
            return;
        }
        if (entries == indexes.length) {
            indexes = Arrays.copyOf(indexes, grown(entries));
            values = Arrays.copyOf(values, grown(entries));
        }
        indexes[entries] = index;
        values[entries++] = value;
    }

    void add(double label) {
        if (size == labels.length) {
            labels = Arrays.copyOf(labels, grown(size));
            ends = Arrays.copyOf(ends, grown(size));
        }
        labels[size] = label;
        ends[size++] = entries;
    }

    private static int grown(int length) {
        int most = Integer.MAX_VALUE - 8;
        if (length == most) {
            throw new IllegalArgumentException("a data set holds at most " + most + " values");
        }
        return (int) Math.min(most, length + (length >> 1) + 1L);
    }

    /** Approximate memory of these samples in bytes. */
    long bytes() {
        return 8L * indexes.length + 12L * labels.length;
    }

    int size() {
        return size;
    }

    /** Number of features, from the first index to the largest. */
    int features() {
        return Math.max(0, most + 1 - first);
    }

    /** The labels that occur, ascending. */
    double[] distinctLabels() {
        return Arrays.stream(labels, 0, size).distinct().sorted().toArray();
    }

    /**
     * These samples, or some of them, as a data set.
     *
     * @param chosen the samples, in order
     * @param names the label of each class
     */
    Dataset dataset(int[] chosen, double[] names, int classes, int length) {
        int[] starts = new int[chosen.length + 1];
        for (int i = 0; i < chosen.length; i++) {
            starts[i + 1] = starts[i] + end(chosen[i]) - end(chosen[i] - 1);
        }
        int[] where = new int[starts[chosen.length]];
        float[] what = new float[where.length];
        int[] numbers = new int[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            int start = end(chosen[i] - 1);
            for (int at = starts[i]; at < starts[i + 1]; at++) {
                where[at] = indexes[start + at - starts[i]] - first;
            }
            System.arraycopy(values, start, what, starts[i], starts[i + 1] - starts[i]);
            numbers[i] = Arrays.binarySearch(names, labels[chosen[i]]);
        }
        List<String> called = Arrays.stream(names).mapToObj(Numbers::shortest).toList();
        return new SparseDataset(starts, where, what, numbers, length, classes, called);
    }

    /** These samples, or some of them, with their numeric labels as targets, one per sample. */
    Dataset withTargets(int[] chosen, int length) {
        float[][] targets = new float[chosen.length][];
        Arrays.setAll(targets, i -> new float[] {(float) labels[chosen[i]]});
        double[] none = distinctLabels();
        return new TargetDataset(dataset(chosen, none, none.length, length), targets, List.of());
    }

    private int end(int sample) {
        return sample < 0 ? 0 : ends[sample];
    }

    /** Sparse vectors in compressed rows (CSR). Reading a sample also writes its zeros. */
    private static final class SparseDataset extends LabelledDataset {
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
}
