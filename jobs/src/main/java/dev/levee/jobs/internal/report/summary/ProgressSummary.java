package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;

import java.util.List;

/**
 * The progress of an elastic run, and the worth of its rounds. Numbers that do not exist are null.
 *
 * @param rounds progress made, in rounds at the batch the run started with
 * @param meanGain the mean worth of a round, in the same unit
 * @param noiseScale of the gradient, in samples, as it was known at the end
 * @param averagedRows of how many of the last round's rows the rule made the mean, as to noise
 */
public record ProgressSummary(
        Double rounds, Double meanGain, Double noiseScale, Double averagedRows) {
    /** The progress of an elastic run; null for other runs. */
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
