package dev.levee.connectors.data;

import java.util.Arrays;

/**
 * A partition whose draws have a seed of their own, or which deals everything to honest workers, as
 * benchmarks do that compare attacks on the same data.
 *
 * @param partition how samples are dealt
 * @param seed of its draws, null for that of the run
 * @param copying workers who hold copies of the others' shares, those with the highest ids; each
 *     sample is dealt to one of the others
 */
public record DealtPartition(Partition partition, Long seed, int copying) implements Partition {
    @Override
    public String name() {
        return partition.name();
    }

    @Override
    public boolean byOwners() {
        return partition.byOwners();
    }

    @Override
    public boolean byClasses() {
        return partition.byClasses();
    }

    /**
     * Deals samples as the partition does.
     *
     * @throws IllegalArgumentException if everybody copies; one sentence
     */
    @Override
    public int[][] deal(int[] labels, int classes, int workers, long runSeed) {
        int dealt = dealt(workers);
        return copied(partition.deal(labels, classes, dealt, seed(runSeed)), workers);
    }

    @Override
    public int[][] heldOut(int[] labels, int classes, int workers, long runSeed) {
        int dealt = dealt(workers);
        return copied(partition.heldOut(labels, classes, dealt, seed(runSeed)), workers);
    }

    private long seed(long runSeed) {
        return seed == null ? runSeed : seed;
    }

    private int dealt(int workers) {
        if (copying >= workers) {
            throw new IllegalArgumentException(
                    "samples are dealt to honest workers, but all %d attack".formatted(workers));
        }
        return workers - copying;
    }

    private static int[][] copied(int[][] shares, int workers) {
        int[][] all = new int[workers][];
        Arrays.setAll(all, worker -> shares[worker % shares.length]);
        return all;
    }
}
