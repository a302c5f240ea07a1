package dev.levee.jobs.internal.report.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.levee.learners.Score;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The result of one cell of a study.
 *
 * @param id the id of the cell
 * @param point values of the study's options
 * @param options the options of its command that it had, by their names without dashes
 * @param failure why there is no model, in one sentence; null if there is one
 * @param score name of what models are compared by: a {@link Score#key}, or {@link #LOSS}
 * @param points one per evaluation, in order; those before a failure are kept
 * @param model SHA-256 of the file {@code model.npz} that its command writes with these options;
 *     null if it failed
 * @param seconds that it took
 */
public record CellResult(
        String id,
        LinkedHashMap<String, String> point,
        LinkedHashMap<String, String> options,
        String failure,
        String score,
        List<Point> points,
        String model,
        double seconds) {
    /** The name of the mean loss on the test set, of models that have no score. */
    public static final String LOSS = "loss";

    /**
     * An evaluation.
     *
     * @param rounds that the model has been trained for
     * @param trainingLoss mean over the rounds since the evaluation before; NaN at the first
     * @param loss on the test set
     * @param score on the test set
     * @param validation score on the validation set; null if the data set has none
     */
    public record Point(
            long rounds,
            double trainingLoss,
            double loss,
            double score,
            @JsonInclude(JsonInclude.Include.NON_NULL) Double validation) {}

    /** A cell that was never run. */
    public static CellResult refused(
            String id,
            LinkedHashMap<String, String> point,
            LinkedHashMap<String, String> options,
            String reason) {
        return new CellResult(id, point, options, reason, LOSS, List.of(), null, 0);
    }

    /** The same result in another study, which may say otherwise what makes the same options. */
    public CellResult at(LinkedHashMap<String, String> other) {
        return new CellResult(id, other, options, failure, score, points, model, seconds);
    }

    /** True if it has a model. */
    @JsonIgnore
    public boolean complete() {
        return failure == null;
    }

    /** The score that is compared; empty for the loss. */
    public static Optional<Score> score(String key) {
        return Stream.of(Score.values()).filter(each -> each.key().equals(key)).findFirst();
    }
}
