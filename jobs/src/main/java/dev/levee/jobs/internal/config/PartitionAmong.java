package dev.levee.jobs.internal.config;

import dev.levee.connectors.data.Partition;
import dev.levee.jobs.internal.config.setting.Values;

/** Who samples are dealt to. */
public enum PartitionAmong {
    ALL,
    HONEST;

    /**
     * How a run deals samples.
     *
     * @throws IllegalArgumentException if the options do not fit together; one sentence
     */
    static Partition partition(RunConfig config) {
        Partition partition =
                Values.named("--partition", () -> Partition.parse(config.partition()));
        boolean copies = config.partitionAmong() == HONEST;
        if (copies && partition.byOwners()) {
            throw new IllegalArgumentException(
                    "--partition-among honest is not for --partition %s, which deals by owners"
                            .formatted(partition.name()));
        }
        if (copies && config.attackers() >= config.workers()) {
            throw new IllegalArgumentException(
                    "--partition-among honest needs an honest worker, but --attackers are all %s"
                            .formatted(config.workers()));
        }
        return config.partitionSeed() == null && !copies
                ? partition
                : new Partition.Dealt(
                        partition, config.partitionSeed(), copies ? config.attackers() : 0);
    }
}
