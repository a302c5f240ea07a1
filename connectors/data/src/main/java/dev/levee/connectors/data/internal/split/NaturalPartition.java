package dev.levee.connectors.data.internal.split;

import dev.levee.connectors.data.Partition;

import java.util.Arrays;

/** Each worker has the samples of one owner, as given by the data. Nothing is drawn. */
record NaturalPartition() implements Partition {
    @Override
    public String name() {
        return "natural";
    }

    @Override
    public boolean byOwners() {
        return true;
    }

    @Override
    public int[][] deal(int[] owners, int count, int workers, long seed) {
        SampleShares.check(owners, count, workers);
        if (count != workers) {
            throw new IllegalArgumentException(
                    ("the samples come from %d owners, and the partition natural needs as "
                                    + "many workers, not %d")
                            .formatted(count, workers));
        }
        int[] sizes = new int[workers];
        for (int owner : owners) {
            sizes[owner]++;
        }
        int[][] shares = new int[workers][];
        Arrays.setAll(shares, worker -> new int[sizes[worker]]);
        for (int sample = owners.length - 1; sample >= 0; sample--) {
            shares[owners[sample]][--sizes[owners[sample]]] = sample;
        }
        for (int worker = 0; worker < workers; worker++) {
            if (shares[worker].length == 0) {
                throw new IllegalArgumentException(
                        "owner %d has no sample left to train on".formatted(worker));
            }
        }
        return shares;
    }
}
