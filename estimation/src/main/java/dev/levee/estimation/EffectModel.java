package dev.levee.estimation;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The assumptions about outcome Y, treatment D, covariates X and instrument Z. */
public enum EffectModel {
    /** Partially linear regression: Y = θD + g(X) + U, D = m(X) + V. */
    PLR(Score.PARTIALLING_OUT, Score.IV_TYPE),
    /** Partially linear regression with an instrument: Y = θD + g(X) + U, Z = m(X) + V. */
    PLIV(Score.PLIV),
    /** Interactive regression: Y = g(D, X) + U, where D is 0 or 1. */
    IRM(Score.ATE, Score.ATT),
    /** Interactive regression with an instrument, where D and Z are 0 or 1. */
    IIVM(Score.LATE);

    private final List<Score> scores;

    EffectModel(Score... scores) {
        this.scores = List.of(scores);
    }

    /** The scores by which the model can be estimated; the first is the default. */
    public List<Score> scores() {
        return scores;
    }

    /**
     * The model's score with this name.
     *
     * @throws IllegalArgumentException if the model has no such score; one sentence
     */
    public Score score(String label) {
        return scores.stream()
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "the model %s has the score %s, got %s"
                                                .formatted(
                                                        name().toLowerCase(Locale.ROOT),
                                                        scores.stream()
                                                                .map(Score::label)
                                                                .collect(
                                                                        Collectors.joining(" or ")),
                                                        label)));
    }
}
