package dev.levee.connectors.data;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How the samples of a data set are dealt to workers. Deterministic by seed. */
public interface Partition extends Serializable {
    /** Name with parameters, in the form that {@link #parse} reads back. */
    String name();

    /**
     * Deals samples to workers.
     *
     * @param labels label of each sample
     * @param classes number of classes
     * @param workers number of workers
     * @return for each worker the indexes of its samples, never empty
     */
    int[][] deal(int[] labels, int classes, int workers, long seed);

    /**
     * Samples of each worker that {@link #deal} leaves out of its share, for scores of its own.
     *
     * @param labels as {@link #deal} takes them
     * @return for each worker the indexes of its samples, none by default
     */
    default int[][] heldOut(int[] labels, int classes, int workers, long seed) {
        return new int[workers][0];
    }

    /**
     * True if it depends on owners: {@link #deal} then receives owners instead of labels, and their
     * number instead of that of classes.
     */
    default boolean byOwners() {
        return false;
    }

    /** True if it is about classes, so that samples with targets cannot be dealt so. */
    default boolean byClasses() {
        return false;
    }

    /**
     * Parses {@code iid}, {@code dirichlet(α)}, {@code by-class}, {@code gamma(γ)}, {@code
     * fegan(…)}, {@code natural}, or a name that another {@link PartitionFactory} provides.
     *
     * @throws IllegalArgumentException if the name or its parameter is invalid; one sentence
     */
    static Partition parse(String text) {
        String stripped = text.strip();
        int open = stripped.endsWith(")") ? stripped.indexOf('(') : -1;
        String name = open < 0 ? stripped : stripped.substring(0, open).strip();
        Optional<String> parameter =
                open < 0
                        ? Optional.empty()
                        : Optional.of(stripped.substring(open + 1, stripped.length() - 1));
        return Providers.of(PartitionFactory.class, "partition", PartitionFactory::name, List.of())
                .get(name, text, PartitionFactory::form)
                .create(parameter);
    }

    /**
     * A partition whose draws have a seed of their own, or which deals everything to honest
     * workers, as benchmarks do that compare attacks on the same data.
     *
     * @param partition how samples are dealt
     * @param seed of its draws, null for that of the run
     * @param copying workers who hold copies of the others' shares, those with the highest ids;
     *     each sample is dealt to one of the others
     */
    record Dealt(Partition partition, Long seed, int copying) implements Partition {
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
                        "samples are dealt to honest workers, but all %d attack"
                                .formatted(workers));
            }
            return workers - copying;
        }

        private static int[][] copied(int[][] shares, int workers) {
            int[][] all = new int[workers][];
            Arrays.setAll(all, worker -> shares[worker % shares.length]);
            return all;
        }
    }
}
