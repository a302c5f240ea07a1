package dev.levee.operators.rounds.report;

import dev.levee.learners.Score;

import java.io.Serializable;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Scores of one version of the model on the test set.
 *
 * @param version number of rounds the model has been trained for
 * @param at when the evaluation ended, milliseconds since the epoch
 * @param loss mean test loss
 * @param scores further scores, in the order of {@link Score}; models are compared by the first;
 *     NaN where there is no number
 */
public record EvaluationReport(long version, long at, double loss, Map<Score, Double> scores)
        implements Serializable {
    public EvaluationReport {
        Map<Score, Double> ordered = new EnumMap<>(Score.class);
        ordered.putAll(scores);
        scores = Collections.unmodifiableMap(ordered);
    }

    /**
     * A report of a classifier.
     *
     * @param accuracy share of test samples classified correctly, 0 to 1
     */
    public EvaluationReport(long version, long at, double loss, double accuracy) {
        this(version, at, loss, Map.of(Score.ACCURACY, accuracy));
    }

    /** Share of test samples classified correctly; NaN if the model is no classifier. */
    public double accuracy() {
        return score(Score.ACCURACY);
    }

    /** One of the scores, NaN if it is unknown. */
    public double score(Score score) {
        return scores.getOrDefault(score, Double.NaN);
    }

    /**
     * True if this model is better than another of the same task, by the first score or, without
     * scores, by the loss.
     */
    public boolean betterThan(EvaluationReport other) {
        return scores.keySet().stream()
                .findFirst()
                .map(score -> score.better(score(score), other.score(score)))
                .orElse(loss < other.loss);
    }

    /**
     * The interval in which the version was made, if intervals have this many rounds; −1 for
     * version 0.
     */
    public long stretch(long rounds) {
        return Math.floorDiv(version - 1, rounds);
    }
}
