package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * The settings of one round. They ride in every model block, and nothing else tells a worker
 * anything, so all workers of a round agree.
 *
 * @param workers active workers, ids 0 to workers − 1
 * @param f Byzantine workers to tolerate
 * @param quorum complete gradients that close the round
 * @param batchSize samples per worker
 * @param learningRate step size
 * @param stop true for the final model, which opens no round
 * @param evaluate true if the model of this version is to be evaluated
 * @param samples samples taken in all rounds before this one
 */
public record Settings(
        int workers,
        int f,
        int quorum,
        int batchSize,
        double learningRate,
        boolean stop,
        boolean evaluate,
        long samples)
        implements Serializable {

    /**
     * The settings of round {@code round} of a run that stays as it starts, and of the first round
     * of any.
     */
    public static Settings of(Training training, long round) {
        boolean stop = round >= training.rounds();
        return new Settings(
                training.workers(),
                training.byzantine(),
                training.quorum(),
                training.batchSize(),
                stop ? 0 : training.learningRate().at(round),
                stop,
                stop || round % training.evalInterval() == 0,
                round * training.workers() * training.batchSize());
    }
}
