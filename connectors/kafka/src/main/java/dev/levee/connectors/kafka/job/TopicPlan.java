package dev.levee.connectors.kafka.job;

import java.time.Duration;

/**
 * The settings of topics that a run still has to create.
 *
 * @param partitions number of partitions of each topic; null for one per block, at most eight
 * @param replication copies of each partition, −1 for the broker's default
 * @param retention how long gradients are kept
 */
public record TopicPlan(Integer partitions, short replication, Duration retention) {
    private static final int ENOUGH = 8;

    /** Number of partitions for a model with {@code blocks} blocks. */
    int partitions(int blocks) {
        return partitions != null ? partitions : Math.min(blocks, ENOUGH);
    }
}
