package dev.levee.operators.rounds.report;

import dev.levee.learners.Evaluation;
import dev.levee.learners.Score;

import java.io.Serializable;

/**
 * Scores of models on samples that one participant does not train on: samples of its own, or
 * similar ones.
 *
 * @param participant its id
 * @param round in which it scored them
 * @param samples number of samples
 * @param score the kind of score, null for a model that is compared by its loss only
 * @param server the score of the server's model that it received, NaN without one
 * @param serverLoss mean loss of the server's model
 * @param own the score of the participant's own model, NaN without one; that of the server's model
 *     if it has none of its own
 * @param ownLoss mean loss of the own model
 */
public record LocalScore(
        int participant,
        long round,
        int samples,
        Score score,
        double server,
        double serverLoss,
        double own,
        double ownLoss)
        implements Serializable {
    /** The score of two evaluations on the same samples. */
    public static LocalScore of(int participant, long round, Evaluation server, Evaluation own) {
        Score score = server.scores().keySet().stream().findFirst().orElse(null);
        return new LocalScore(
                participant,
                round,
                server.samples(),
                score,
                server.scores().getOrDefault(score, Double.NaN),
                server.loss(),
                own.scores().getOrDefault(score, Double.NaN),
                own.loss());
    }
}
