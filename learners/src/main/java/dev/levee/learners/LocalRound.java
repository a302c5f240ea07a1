package dev.levee.learners;

import dev.levee.connectors.data.Batch;

import java.util.function.IntFunction;

/**
 * The arguments of a model's own training loop for one round of one participant.
 *
 * @param participant the participant's id
 * @param round number of the round, from 0
 * @param rate the run's learning rate in this round
 * @param seed seed of the random choices in the loop
 * @param steps number of batches, at least 1
 * @param batchSize samples of a batch
 * @param batches returns a batch by its number, from 0
 * @param state the state of the loop after the participant's last round, empty in the participant's
 *     first round
 */
public record LocalRound(
        int participant,
        long round,
        double rate,
        long seed,
        int steps,
        int batchSize,
        IntFunction<Batch> batches,
        byte[] state) {
    /**
     * The result of the loop.
     *
     * @param parameters the trained parameters, a flat vector that includes buffers
     * @param loss mean loss that the loop reports, NaN if it reports none
     * @param state the state of the loop for the participant's next round
     */
    public record Result(float[] parameters, double loss, byte[] state) {}
}
