package dev.levee.jobs.internal.report.forecast;

import static dev.levee.jobs.internal.report.markup.Html.escape;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.LineChart;
import dev.levee.jobs.internal.report.markup.LineChart.Series;
import dev.levee.jobs.internal.report.markup.Markup;

import java.util.List;
import java.util.stream.IntStream;

/** The page about the cuts of a network, with a chart of bytes and one of times. */
public final class ProfileReport extends Markup {
    private static final String UNIT = "layers before the cut";

    /**
     * A line of a chart.
     *
     * @param name its title
     * @param layers number of layers before each cut, ascending
     * @param values a value for each cut
     */
    public record Line(String name, int[] layers, double[] values) {}

    private ProfileReport() {}

    /**
     * Returns the page as HTML.
     *
     * @param lead a sentence that describes the measurement
     * @param bytes bytes that cross the link for an image
     * @param millis milliseconds that an image takes; empty if no times were measured
     */
    public static String page(String network, String lead, List<Line> bytes, List<Line> millis) {
        ProfileReport report = new ProfileReport();
        report.add("%s<h1>Where %s is cut</h1>", Html.head("profile"), escape(network));
        report.add("<p class=\"lead\">%s</p><div class=\"grid\">", escape(lead));
        report.chart("Bytes of an image on the link", bytes);
        if (!millis.isEmpty()) {
            report.chart("Milliseconds an image, by bandwidth", millis);
        }
        report.add("</div>%s", Html.foot());
        return report.text();
    }

    private void chart(String title, List<Line> lines) {
        add("<section><h2>%s</h2><div class=\"key\">", title);
        for (int i = 0; i < lines.size(); i++) {
            add(
                    "<span><i style=\"background:%s\"></i>%s</span>",
                    Html.color(i), escape(lines.get(i).name()));
        }
        List<Series> series =
                IntStream.range(0, lines.size()).mapToObj(i -> series(lines.get(i), i)).toList();
        add("</div>%s</section>", LineChart.draw(title, series, false, UNIT));
    }

    private static Series series(Line line, int index) {
        double[] x = IntStream.of(line.layers()).asDoubleStream().toArray();
        return new Series(escape(line.name()), Html.color(index), x, line.values());
    }
}
