package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;

import java.util.List;

/**
 * The progress of an elastic run. Missing numbers are null.
 *
 * @param rounds progress, in rounds at the initial batch size
 * @param meanGain mean progress of a round, in the same unit
 * @param noiseScale last estimate of the gradient's noise scale, in samples
 * @param averagedRows number of the last round's rows whose mean would have the noise of the rule's
 *     result
 */
public record ProgressSummary(
        Double rounds, Double meanGain, Double noiseScale, Double averagedRows) {
    /** The summary of an elastic run; null for other runs. */
    static ProgressSummary of(RunResult result) {
        List<RoundReport> reports = result.rounds();
        Planner.Progress last =
                reports.isEmpty()
                        ? Planner.Progress.NONE
                        : reports.get(reports.size() - 1).progress();
        if (!last.counts()) {
            return null;
        }
        double made = last.rounds() + last.gain();
        return new ProgressSummary(
                Summary.finite(made),
                Summary.finite(made / result.roundCount()),
                Summary.finite(last.noiseScale()),
                Summary.finite(last.averagedRows()));
    }
}
