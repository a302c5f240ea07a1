package dev.levee.connectors.data;

/** Wraps a data set and adds the owner of each sample. */
public final class OwnedDataset implements WrappedDataset {
    private final Dataset samples;
    private final int[] owners;
    private final int count;

    /**
     * @param owners owner of each sample, from 0
     * @param count number of owners
     * @throws IllegalArgumentException if lengths differ or an owner is out of range; one sentence
     */
    public OwnedDataset(Dataset samples, int[] owners, int count) {
        if (owners.length != samples.size()) {
            throw new IllegalArgumentException(
                    "each sample needs an owner, got %d samples and %d owners"
                            .formatted(samples.size(), owners.length));
        }
        for (int i = 0; i < owners.length; i++) {
            if (owners[i] < 0 || owners[i] >= count) {
                throw new IllegalArgumentException(
                        "owners must be from 0 to %d, sample %d has %d"
                                .formatted(count - 1, i, owners[i]));
            }
        }
        this.samples = samples;
        this.owners = owners;
        this.count = count;
    }

    @Override
    public Dataset samples() {
        return samples;
    }

    @Override
    public int owners() {
        return count;
    }

    @Override
    public int owner(int index) {
        return owners[index];
    }
}
