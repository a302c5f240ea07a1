package dev.levee.operators.rounds;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import java.io.Serializable;

/**
 * What a server scores contributions on, for rules that need scores: data of its own, which no
 * worker computes on.
 *
 * @param uri of a data set whose training samples the server has for itself, null for a part of the
 *     workers' data set that is held out from them
 * @param batchSize samples that the contributions of one round are scored on
 */
public record Oracle(String uri, int batchSize) implements Serializable {
    /** Samples of a batch by default. */
    public static final int BATCH_SIZE = 100;

    /** One training sample of so many is held out, the share that the common splits validate on. */
    static final int HELD_OUT = 10;

    /**
     * Checks the batch.
     *
     * @throws WrongTrainingException if it is empty; one sentence
     */
    public Oracle {
        require(batchSize >= 1, "{oracle} batch must be at least 1, got %s", batchSize);
    }

    /** Scores on a held-out part of the workers' data set. */
    public static Oracle heldOut() {
        return new Oracle(null, BATCH_SIZE);
    }
}
