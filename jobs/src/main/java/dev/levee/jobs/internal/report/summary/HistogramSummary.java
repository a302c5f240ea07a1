package dev.levee.jobs.internal.report.summary;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

import dev.levee.learners.HistogramModel;
import dev.levee.operators.rounds.training.RunResult;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The histogram over devices in {@code summary.json}.
 *
 * @param feature index of the feature
 * @param low lower end of the first bin
 * @param high upper end of the last bin
 * @param shares share of samples in each bin, including the noise
 * @param levels the levels of the quantiles
 * @param quantiles quantiles, interpolated within bins; null if nothing was counted
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record HistogramSummary(
        int feature,
        double low,
        double high,
        List<Double> shares,
        List<Double> levels,
        List<Double> quantiles) {
    private static final List<Double> LEVELS = List.of(0.05, 0.25, 0.5, 0.75, 0.95);

    /** The summary of a run; null if the run computed no histogram. */
    static HistogramSummary of(RunResult result) {
        if (!(result.training().model() instanceof HistogramModel model)) {
            return null;
        }
        float[] parameters = result.parameters();
        List<Double> shares = new ArrayList<>();
        for (float share : parameters) {
            shares.add((double) share);
        }
        return new HistogramSummary(
                model.feature(),
                model.low(),
                model.high(),
                Collections.unmodifiableList(shares),
                LEVELS,
                LEVELS.stream()
                        .map(level -> Summary.finite(model.quantile(parameters, level)))
                        .toList());
    }
}
