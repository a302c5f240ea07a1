package dev.levee.operators.rounds.training;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.connectors.data.Partition;
import dev.levee.operators.rounds.fault.WrongTrainingException;

import java.io.Serializable;

/**
 * The data of workers.
 *
 * @param uri the uri of the data set, as {@link dev.levee.connectors.data.Datasets#open} takes it
 * @param partition the distribution of training samples among workers
 * @param batchSize samples per worker and local step, at the start of the run
 */
public record Data(String uri, Partition partition, int batchSize) implements Serializable {
    /**
     * Checks both.
     *
     * @throws WrongTrainingException if one is invalid; one sentence
     */
    public Data {
        require(uri != null, "{dataset} must be the URI of a data set, got null");
        require(batchSize >= 1, "{batchSize} must be at least 1, got %s", batchSize);
    }
}
