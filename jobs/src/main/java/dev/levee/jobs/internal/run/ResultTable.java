package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.report.Numbers;
import dev.levee.jobs.internal.report.RunView;
import dev.levee.jobs.internal.report.Summary;

import java.util.List;

/** The table at the end of a training. */
final class ResultTable {
    private ResultTable() {}

    static String of(List<RunView> runs) {
        int width = runs.stream().mapToInt(run -> run.rule().length()).max().orElse(0);
        String format = "%-" + Math.max(10, width) + "s  %14s  %13s  %10s  %8s  %18s%n";
        StringBuilder table = new StringBuilder();
        table.append(
                format.formatted(
                        "rule",
                        "final accuracy",
                        "best accuracy",
                        "final loss",
                        "rounds/s",
                        "rows of attackers"));
        for (RunView run : runs) {
            Summary summary = run.summary();
            table.append(
                    format.formatted(
                            run.rule(),
                            Numbers.percent(summary.finalAccuracy()),
                            Numbers.percent(summary.bestAccuracy()),
                            Numbers.decimals(summary.finalLoss(), 3),
                            Numbers.decimals(summary.roundsPerSecond(), 1),
                            Numbers.percent(run.attackersShare())));
        }
        return table.toString().stripTrailing();
    }
}
