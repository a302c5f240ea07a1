package dev.levee.jobs.internal.finetune;

import dev.levee.featureextraction.split.Conditions;
import dev.levee.featureextraction.split.Prediction;

import java.util.List;

/**
 * The extractions of one command.
 *
 * @param conditions the conditions for which times were predicted
 * @param predictions one prediction for each result
 * @param results the results; the baseline is first, if there is one
 */
public record Extractions(
        Conditions conditions, List<Prediction> predictions, List<ExtractionResult> results) {
    public Extractions {
        predictions = List.copyOf(predictions);
        results = List.copyOf(results);
    }

    /** The result whose features are kept. */
    public ExtractionResult last() {
        return results.get(results.size() - 1);
    }
}
