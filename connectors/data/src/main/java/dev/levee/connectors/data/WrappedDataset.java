package dev.levee.connectors.data;

/** Samples of another data set; what is overridden differs from it. Their owners are not told. */
public interface WrappedDataset extends Dataset {
    /** The other data set. */
    Dataset samples();

    /** The index of sample {@code index} in the wrapped data set. */
    default int at(int index) {
        return index;
    }

    @Override
    default int size() {
        return samples().size();
    }

    @Override
    default int[] shape() {
        return samples().shape();
    }

    @Override
    default int classes() {
        return samples().classes();
    }

    @Override
    default int label(int index) {
        return samples().label(at(index));
    }

    @Override
    default String className(int label) {
        return samples().className(label);
    }

    @Override
    default int targets() {
        return samples().targets();
    }

    @Override
    default String targetName(int target) {
        return samples().targetName(target);
    }

    @Override
    default void readTargets(int index, float[] out, int offset) {
        samples().readTargets(at(index), out, offset);
    }

    @Override
    default void read(int index, float[] out, int offset) {
        samples().read(at(index), out, offset);
    }
}
