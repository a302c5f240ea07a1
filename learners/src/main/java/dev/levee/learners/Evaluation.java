package dev.levee.learners;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The result of a model on samples that it was not trained on.
 *
 * @param samples number of samples
 * @param loss mean loss
 * @param scores further scores, in the order of {@link Score}; NaN if a score is not defined
 */
public record Evaluation(int samples, double loss, Map<Score, Double> scores) {
    public Evaluation {
        Map<Score, Double> ordered = new EnumMap<>(Score.class);
        ordered.putAll(scores);
        scores = Collections.unmodifiableMap(ordered);
    }

    /**
     * The evaluation of a classifier.
     *
     * @param accuracy share of samples classified correctly, 0 to 1
     */
    public Evaluation(int samples, double loss, double accuracy) {
        this(samples, loss, Map.of(Score.ACCURACY, accuracy));
    }

    /** Share of samples classified correctly, 0 to 1; NaN if the model is no classifier. */
    public double accuracy() {
        return scores.getOrDefault(Score.ACCURACY, Double.NaN);
    }
}
