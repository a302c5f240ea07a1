package dev.levee.jobs.internal.report.page;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.LineChart;
import dev.levee.jobs.internal.report.markup.Markup;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.summary.HistogramSummary;

import java.util.ArrayList;
import java.util.List;

/** The section about histograms over devices. */
final class HistogramSection extends Markup {
    private HistogramSection() {}

    /** The section as HTML, empty if no run computed a histogram. */
    static String of(List<RunView> runs) {
        List<RunView> counted =
                runs.stream().filter(run -> run.federated().histogram() != null).toList();
        return counted.isEmpty() ? "" : new HistogramSection().section(counted);
    }

    private String section(List<RunView> runs) {
        HistogramSummary first = runs.get(0).federated().histogram();
        String title = "Feature %d over devices".formatted(first.feature());
        add("<section><h2>%s</h2><div class=\"scroll\"><table><thead><tr>", title);
        add("<th scope=\"col\">Sampling</th>");
        for (double level : first.levels()) {
            add("<th scope=\"col\">%s</th>", Numbers.percent(level));
        }
        add("</tr></thead><tbody>");
        List<LineChart.Series> lines = new ArrayList<>();
        for (RunView run : runs) {
            HistogramSummary histogram = run.federated().histogram();
            add("<tr><td>%s</td>", Html.escape(run.rule()));
            for (Double quantile : histogram.quantiles()) {
                add("<td>%s</td>", Numbers.decimals(quantile, 4));
            }
            add("</tr>");
            lines.add(line(run, lines.size()));
        }
        add("</tbody></table></div>%s", LineChart.drawShares(title, lines, "value"));
        add("<p class=\"note\">Quantiles, and the share of samples in each bin.</p></section>");
        return text();
    }

    private static LineChart.Series line(RunView run, int color) {
        HistogramSummary histogram = run.federated().histogram();
        int bins = histogram.shares().size();
        double[] centers = new double[bins];
        double[] shares = new double[bins];
        for (int bin = 0; bin < bins; bin++) {
            double width = (histogram.high() - histogram.low()) / bins;
            centers[bin] = histogram.low() + (bin + 0.5) * width;
            shares[bin] = histogram.shares().get(bin);
        }
        return new LineChart.Series(Html.escape(run.rule()), Html.color(color), centers, shares);
    }
}
