package dev.levee.jobs.internal.config;

import static dev.levee.jobs.internal.config.setting.Values.named;
import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;

import java.util.Arrays;

/** The workers that samples are distributed to. */
public enum PartitionAmong {
    ALL,
    HONEST;

    /** The partition of a run. The options may give it a seed of its own and exclude attackers. */
    static Partition partition(RunConfig config) {
        Partition partition = named("--partition", () -> Partition.parse(config.partition()));
        boolean copies = config.partitionAmong() == HONEST;
        require(
                !copies || !partition.byOwners(),
                "--partition-among honest is not for --partition %s, which distributes samples by"
                        + " owner",
                partition.name());
        require(
                !copies || config.attackers() < config.workers(),
                "--partition-among honest needs an honest worker, but --attackers are all %s",
                config.workers());
        return config.partitionSeed() == null && !copies
                ? partition
                : new Dealt(partition, config.partitionSeed(), copies ? config.attackers() : 0);
    }

    /**
     * Checks that a partition by owners has as many owners as there are workers.
     *
     * @param option the option that sets the number of workers
     */
    public static void checkOwners(Dataset data, String partition, int workers, String option) {
        if (!Partition.parse(partition).byOwners()) {
            return;
        }
        require(
                data.owners() > 0,
                "--partition %s distributes samples by owner, but the data set does not name"
                        + " owners: use ?owner=COLUMN in %s, or a leaf: data set",
                partition,
                String.join(" or ", Datasets.tables()));
        require(
                data.owners() == workers,
                "--partition %s needs %s %s, because the samples have that many owners; got %s",
                partition,
                option,
                data.owners(),
                workers);
    }

    /**
     * A partition with a seed of its own, or one that deals all samples to honest workers.
     * Benchmarks use it to compare attacks on the same data.
     *
     * @param partition how samples are dealt
     * @param seed the seed of its draws, null for the run's seed
     * @param copying number of workers that hold copies of other workers' samples: those with the
     *     highest ids. Each sample is dealt to one of the others
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
         * Deals samples with the underlying partition, then copies shares to the last workers.
         *
         * @throws IllegalArgumentException if all workers copy; one sentence
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
                        "samples are distributed only to honest workers, but all %d workers attack"
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
