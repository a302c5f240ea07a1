package dev.levee.operators.rounds;

import dev.levee.connectors.data.Partition;

import java.io.Serializable;

/**
 * What workers compute on.
 *
 * @param uri of the data set, as {@link dev.levee.connectors.data.Datasets#open} takes it
 * @param partition how training samples are dealt to workers
 * @param batchSize samples per worker and local step, as the run starts
 */
public record Data(String uri, Partition partition, int batchSize) implements Serializable {
    /**
     * Checks the batch.
     *
     * @throws IllegalArgumentException if it is empty; one sentence
     */
    public Data {
        if (batchSize < 1) {
            throw new IllegalArgumentException("batch size must be at least 1, got " + batchSize);
        }
    }
}
