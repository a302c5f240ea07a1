package dev.levee.connectors.data;

/**
 * A data set that delegates to another data set, except in the methods that it overrides. It hides
 * the owners of samples.
 */
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
    default long heapBytes() {
        return samples().heapBytes();
    }

    @Override
    default void read(int index, float[] out, int offset) {
        samples().read(at(index), out, offset);
    }

    /**
     * Some samples of another data set, with their owners.
     *
     * @param samples the other data set
     * @param places indexes of the samples in the other data set; not to be changed
     */
    record Part(Dataset samples, int[] places) implements WrappedDataset {
        @Override
        public int at(int index) {
            return places[index];
        }

        @Override
        public int size() {
            return places.length;
        }

        @Override
        public int owners() {
            return samples.owners();
        }

        @Override
        public int owner(int index) {
            return samples.owner(at(index));
        }
    }
}
