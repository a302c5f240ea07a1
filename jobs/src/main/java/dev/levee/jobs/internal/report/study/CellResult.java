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
 * @param id id of the cell
 * @param point values of the study's options
 * @param options the options of the cell's command, by their names without dashes
 * @param failure one sentence that says why there is no model; null if there is one
 * @param score name of the score by which models are compared: a {@link Score#key}, or {@link
 *     #LOSS}
 * @param points one for each evaluation, in order; evaluations before a failure are kept
 * @param model SHA-256 of the file {@code model.npz} that its command writes with these options;
 *     null if it failed
 * @param seconds duration of the cell
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
    /** The name of the mean loss on the test set, for models without a score. */
    public static final String LOSS = "loss";

    /**
     * An evaluation.
     *
     * @param rounds number of rounds before the evaluation
     * @param trainingLoss mean over the rounds since the previous evaluation; NaN for the first
     * @param loss loss on the test set
     * @param score score on the test set
     * @param validation score on the validation set; null if the data set has none
     */
    public record Point(
            long rounds,
            double trainingLoss,
            double loss,
            double score,
            @JsonInclude(JsonInclude.Include.NON_NULL) Double validation) {}

    /** Creates the result of a cell that was never run. */
    public static CellResult refused(
            String id,
            LinkedHashMap<String, String> point,
            LinkedHashMap<String, String> options,
            String reason) {
        return new CellResult(id, point, options, reason, LOSS, List.of(), null, 0);
    }

    /**
     * Returns the same result for another study, in which other values may lead to the same
     * options.
     */
    public CellResult at(LinkedHashMap<String, String> other) {
        return new CellResult(id, other, options, failure, score, points, model, seconds);
    }

    /** True if the cell has a model. */
    @JsonIgnore
    public boolean complete() {
        return failure == null;
    }

    /** The score with this key; empty for the loss. */
    public static Optional<Score> score(String key) {
        return Stream.of(Score.values()).filter(each -> each.key().equals(key)).findFirst();
    }
}
