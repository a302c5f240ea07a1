package dev.levee.connectors.data.internal.split;

import dev.levee.connectors.data.Partition;

/** Equal shares of one seeded shuffle. */
record IidPartition() implements Partition {
    @Override
    public String name() {
        return "iid";
    }

    @Override
    public int[][] deal(int[] labels, int classes, int workers, long seed) {
        int[] order = SampleShares.shuffled(labels, classes, workers, new Draws(seed));
        return SampleShares.equally(order, workers, 0);
    }
}
