package dev.levee.operators.rounds.training;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.operators.rounds.fault.WrongTrainingException;

import java.io.Serializable;

/**
 * Data on which a server scores contributions, for rules that need scores; no worker computes on
 * them.
 *
 * @param uri the uri of the server's own data set, whose training samples it uses; null for a part
 *     of the workers' data set that is held out from them
 * @param batchSize number of samples on which the contributions of one round are scored
 * @param every number of rounds that use the same gradient of the server, if contributions are
 *     scored by that gradient ({@link dev.levee.gar.GradientScored}); else 1
 */
public record Oracle(String uri, int batchSize, int every) implements Serializable {
    /** The default number of samples of a batch. */
    public static final int BATCH_SIZE = 100;

    /** One of this many training samples is held out, which is a usual validation split. */
    public static final int HELD_OUT = 10;

    /**
     * Checks the numbers.
     *
     * @throws WrongTrainingException if one is below 1; one sentence
     */
    public Oracle {
        require(batchSize >= 1, "{oracle} batch must be at least 1, got %s", batchSize);
        require(every >= 1, "{oracleEvery} must be at least 1, got %s", every);
    }

    /** An oracle that computes anew in each round. */
    public Oracle(String uri, int batchSize) {
        this(uri, batchSize, 1);
    }

    /** Scores on a held-out part of the workers' data set. */
    public static Oracle heldOut() {
        return new Oracle(null, BATCH_SIZE);
    }

    /** The version of the model on which contributions to a round are scored. */
    public long version(long round) {
        return round - round % every;
    }

    /** True if later rounds are scored on a version, so a restart must offer it again. */
    public boolean keeps(long version) {
        return every > 1 && version % every == 0;
    }
}
