package dev.levee.learners;

import dev.levee.connectors.data.Batch;

import java.util.function.IntFunction;

/**
 * The arguments of a model's own training loop for one round of one participant.
 *
 * @param participant its id
 * @param round number of the round, from 0
 * @param rate learning rate that the run has in this round
 * @param seed of the random choices in the loop
 * @param steps number of batches, at least 1
 * @param batchSize samples of a batch
 * @param batches the batches by their number, from 0
 * @param state the state of the loop after the participant's last round, empty in its first
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
     * @param parameters that the loop has come to, flat, buffers included
     * @param loss mean loss as the loop says it, NaN if it says none
     * @param state the state of the loop for the participant's next round
     */
    public record Result(float[] parameters, double loss, byte[] state) {}
}
