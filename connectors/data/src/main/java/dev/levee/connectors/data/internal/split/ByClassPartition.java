package dev.levee.connectors.data.internal.split;

import dev.levee.connectors.data.Partition;

/**
 * Gives each worker as few classes as equal shares allow: samples are sorted by label and dealt in
 * contiguous shares. Worker 0 gets the lowest labels. The seed decides the order within a class.
 */
record ByClassPartition() implements Partition {
    @Override
    public String name() {
        return "by-class";
    }

    @Override
    public boolean byClasses() {
        return true;
    }

    @Override
    public int[][] deal(int[] labels, int classes, int workers, long seed) {
        int[] order = SampleShares.shuffled(labels, classes, workers, new Draws(seed));
        return SampleShares.equally(SampleShares.byLabel(order, labels, classes), workers, 0);
    }
}
