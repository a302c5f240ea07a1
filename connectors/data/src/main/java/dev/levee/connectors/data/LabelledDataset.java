package dev.levee.connectors.data;

import java.util.List;

/** A data set with labels in memory; subclasses read the features. */
public abstract class LabelledDataset implements Dataset {
    /** Bytes per sample besides its values: array header, reference to the array, label. */
    private static final long ROW = 16 + 4 + 4;

    private final int[] labels;
    private final int[] shape;
    private final int classes;
    private final List<String> names;

    /**
     * @param labels class of each sample, from 0
     * @param shape the shape of one sample
     * @param classes number of classes
     * @param names the names of the classes; a class beyond this list is named by its number
     */
    protected LabelledDataset(int[] labels, int[] shape, int classes, List<String> names) {
        this.labels = labels;
        this.shape = shape;
        this.classes = classes;
        this.names = List.copyOf(names);
    }

    /**
     * Bytes of heap taken by samples with an array each, and by their labels.
     *
     * @param each bytes of a sample's values
     */
    public static long rowsOf(int samples, long each) {
        return samples * (each + ROW);
    }

    @Override
    public final int size() {
        return labels.length;
    }

    @Override
    public final int[] shape() {
        return shape.clone();
    }

    @Override
    public final int classes() {
        return classes;
    }

    @Override
    public final int label(int index) {
        return labels[index];
    }

    @Override
    public final String className(int label) {
        return label < names.size() ? names.get(label) : Integer.toString(label);
    }
}
