package dev.levee.jobs.internal.report.summary;

import dev.levee.federated.plan.DecisionLog;
import dev.levee.federated.plan.StalenessWeight;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;

import java.util.List;

/**
 * Writes {@code decisions.csv} of a run without a barrier: the contributions that closed each
 * round, and their weights by staleness. {@link DecisionLog} reads the file.
 */
public final class DecisionsCsv {
    private DecisionsCsv() {}

    public static String of(RunResult result, StalenessWeight weight) {
        StringBuilder csv = new StringBuilder(String.join(",", DecisionLog.COLUMNS));
        csv.append(",staleness,weight\n");
        for (RoundReport round : result.rounds()) {
            int[] ages = round.ages();
            for (int i = 0; i < ages.length; i++) {
                List<Object> cells =
                        List.of(
                                round.round(),
                                round.rows()[i],
                                round.round() - ages[i],
                                ages[i],
                                weight.at(ages[i]));
                csv.append(String.join(",", cells.stream().map(String::valueOf).toList()));
                csv.append('\n');
            }
        }
        return csv.toString();
    }
}
