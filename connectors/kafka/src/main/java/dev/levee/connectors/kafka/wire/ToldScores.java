package dev.levee.connectors.kafka.wire;

import dev.levee.learners.Score;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Scores of a version of the model on a worker's own samples, as the worker reports them.
 *
 * @param run the run
 * @param version number of rounds the model has been trained for
 * @param worker number of the worker
 * @param loss mean loss over the samples; NaN if not reported
 * @param samples number of samples
 * @param at when the evaluation ended, microseconds since the epoch
 * @param scores other scores; NaN for undefined ones
 */
public record ToldScores(
        long run,
        long version,
        int worker,
        double loss,
        long samples,
        long at,
        Map<Score, Double> scores) {
    /** Copies the scores, in their order. */
    public ToldScores {
        Map<Score, Double> ordered = new EnumMap<>(Score.class);
        ordered.putAll(scores);
        scores = Collections.unmodifiableMap(ordered);
    }

    /** True if no number is infinite, and scores from 0 to 1 are in that range. */
    public boolean possible() {
        return !Double.isInfinite(loss)
                && scores.entrySet().stream()
                        .allMatch(each -> possible(each.getKey(), each.getValue()));
    }

    static boolean possible(Score score, double value) {
        boolean bounded = score.isShare() || score == Score.AUC || score == Score.F1;
        return Double.isNaN(value)
                || !Double.isInfinite(value) && !(bounded && (value < 0 || value > 1));
    }
}
