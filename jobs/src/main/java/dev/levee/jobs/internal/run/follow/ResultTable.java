package dev.levee.jobs.internal.run.follow;

import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.page.ScoreColumns;
import dev.levee.jobs.internal.report.summary.Summary;

import java.util.ArrayList;
import java.util.List;

/** Formats the table at the end of a training. */
public final class ResultTable {
    /** Minimum width of a score, in characters. */
    private static final int SCORE = 10;

    private ResultTable() {}

    public static String of(List<RunView> runs) {
        int width = runs.stream().mapToInt(run -> run.rule().length()).max().orElse(0);
        ScoreColumns scores = ScoreColumns.of(runs);
        StringBuilder format = new StringBuilder("%-" + Math.max(10, width) + "s");
        List<String> headings = new ArrayList<>(List.of("rule"));
        for (String heading : scores.headings()) {
            headings.add(heading);
            format.append("  %").append(Math.max(SCORE, heading.length())).append('s');
        }
        format.append("  %10s  %8s  %18s%n");
        headings.addAll(List.of("final loss", "rounds/s", "rows of attackers"));
        StringBuilder table = new StringBuilder(line(format, headings));
        for (RunView run : runs) {
            Summary summary = run.summary();
            List<String> cells = new ArrayList<>(List.of(run.rule()));
            cells.addAll(scores.cells(summary));
            cells.add(Numbers.decimals(summary.finalLoss(), 3));
            cells.add(Numbers.decimals(summary.roundsPerSecond(), 1));
            cells.add(Numbers.percent(run.attackersShare()));
            table.append(line(format, cells));
        }
        Object evaluator = runs.get(0).setting("evaluator");
        if (evaluator != null) {
            table.append("scores and final loss as reported by ").append(evaluator);
        }
        for (RunView run : runs) {
            if (run.summary().failover() != null) {
                table.append(run.rule())
                        .append(": ")
                        .append(run.summary().failover().words())
                        .append(System.lineSeparator());
            }
            if (run.summary().replica() != null) {
                table.append(run.rule())
                        .append(": ")
                        .append(run.summary().replica().words())
                        .append(System.lineSeparator());
            }
        }
        return table.toString().stripTrailing();
    }

    private static String line(StringBuilder format, List<String> cells) {
        return format.toString().formatted(cells.toArray());
    }
}
