package dev.levee.jobs.internal.report.page;

import dev.levee.federated.devices.Spread;
import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.LineChart;
import dev.levee.jobs.internal.report.markup.Markup;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.summary.DeviceScores;

import java.util.ArrayList;
import java.util.List;

/** The section about scores on devices' own samples. */
final class DeviceScoresSection extends Markup {
    private final List<RunView> runs;

    private DeviceScoresSection(List<RunView> runs) {
        this.runs = runs;
    }

    /** The section as HTML, empty if no run has such scores. */
    static String of(List<RunView> runs) {
        List<RunView> scored =
                runs.stream().filter(run -> run.federated().deviceScores() != null).toList();
        return scored.isEmpty() ? "" : new DeviceScoresSection(scored).sections();
    }

    private String sections() {
        table();
        chart();
        return text();
    }

    private void table() {
        DeviceScores first = runs.get(0).federated().deviceScores();
        add("<section><h2>%s on each device</h2>", capital(first));
        add(
                "%s",
                Html.table(
                        List.of(
                                "Sampling",
                                "Model",
                                "Devices",
                                "Mean",
                                "Worst tenth",
                                "Jain's index")));
        for (RunView run : runs) {
            DeviceScores scores = run.federated().deviceScores();
            row(run, "the server's", scores, scores.server());
            if (scores.personal()) {
                row(run, "the device's own", scores, scores.own());
            }
        }
        add("%s", Html.TABLE_END);
        add(
                "<p class=\"note\">On samples like the device's that it does not train on, in its last round.");
        add("Each device counts alike. Jain's index is 1 where all devices have the same score.");
        add("</p></section>");
    }

    private void row(RunView run, String model, DeviceScores scores, Spread spread) {
        add(
                "<tr><td>%s</td><td>%s</td><td>%d</td><td class=\"big\">%s</td><td>%s</td>"
                        + "<td>%s</td></tr>",
                Html.escape(run.rule()),
                model,
                spread.devices(),
                scores.number(spread.mean()),
                scores.number(spread.worstDecile()),
                Numbers.decimals(spread.jain(), 4));
    }

    private static String capital(DeviceScores scores) {
        return ScoreColumns.capital(scores.label());
    }

    private void chart() {
        DeviceScores first = runs.get(0).federated().deviceScores();
        String title = capital(first) + " by device";
        List<LineChart.Series> lines = new ArrayList<>();
        for (RunView run : runs) {
            DeviceScores scores = run.federated().deviceScores();
            lines.add(line(run, "server", lines.size(), scores.serverByDevice()));
            if (scores.personal()) {
                lines.add(line(run, "own", lines.size(), scores.ownByDevice()));
            }
        }
        add("<div class=\"grid\"><section><h2>%s</h2><div class=\"key\">", title);
        for (LineChart.Series line : lines) {
            add("<span><i style=\"background:%s\"></i>%s</span>", line.color(), line.name());
        }
        add("</div>%s", LineChart.draw(title, lines, first.inPercent(), "devices"));
        add("<p class=\"note\">The largest first.</p></section></div>");
    }

    private static LineChart.Series line(
            RunView run, String model, int color, List<Double> scores) {
        return LineChart.Series.descending(
                "%s, %s".formatted(Html.escape(run.rule()), model),
                Html.color(color),
                scores.stream()
                        .mapToDouble(Double::doubleValue)
                        .filter(each -> !Double.isNaN(each)));
    }
}
