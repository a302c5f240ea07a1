package dev.levee.connectors.data;

import java.util.Arrays;
import java.util.List;

/** Samples in an array. */
public final class ArrayDataset extends LabelledDataset {
    private final float[][] rows;

    /**
     * @param rows features of each sample, in row-major order of the shape
     * @param labels class of each sample, from 0
     * @param shape the shape of one sample
     * @param classes number of classes
     * @throws IllegalArgumentException if lengths differ, or a label is not a class; one sentence
     */
    public ArrayDataset(float[][] rows, int[] labels, int[] shape, int classes) {
        this(rows, labels, shape, classes, List.of());
    }

    /**
     * As the constructor without {@code names}, with names for the classes.
     *
     * @param names the names of the classes; may have fewer than there are classes
     */
    public ArrayDataset(
            float[][] rows, int[] labels, int[] shape, int classes, List<String> names) {
        super(labels, shape, classes, names);
        if (rows.length != labels.length) {
            throw new IllegalArgumentException(
                    "each sample needs a label, got %d samples and %d labels"
                            .formatted(rows.length, labels.length));
        }
        int length = Arrays.stream(shape).reduce(1, Math::multiplyExact);
        for (int i = 0; i < rows.length; i++) {
            if (rows[i].length != length) {
                throw new IllegalArgumentException(
                        "all samples must have %d features, sample %d has %d"
                                .formatted(length, i, rows[i].length));
            }
            if (labels[i] < 0 || labels[i] >= classes) {
                throw new IllegalArgumentException(
                        "labels must be from 0 to %d, sample %d has %d"
                                .formatted(classes - 1, i, labels[i]));
            }
        }
        this.rows = rows;
    }

    @Override
    public long heapBytes() {
        return rows.length == 0 ? 0 : rowsOf(rows.length, (long) Float.BYTES * rows[0].length);
    }

    @Override
    public void read(int index, float[] out, int offset) {
        System.arraycopy(rows[index], 0, out, offset, rows[index].length);
    }
}
