package dev.levee.jobs.internal.report.forecast;

import static dev.levee.jobs.internal.report.markup.Html.escape;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.LineChart;
import dev.levee.jobs.internal.report.markup.Markup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The page of a {@link CodingForecast}: a chart of times, one of energy, and the table. */
public final class CodingPage extends Markup {
    private static final String UNIT = "workers not waited for";
    private static final double MILLIS = 1e3;

    private final CodingForecast forecast;
    private final List<Map<String, Object>> choices;

    private CodingPage(CodingForecast forecast) {
        this.forecast = forecast;
        this.choices = forecast.choices();
    }

    public static String of(CodingForecast forecast) {
        return new CodingPage(forecast).page();
    }

    private String page() {
        add("%s", Html.head("which k?"));
        add("<h1>Which k?</h1><p class=\"lead\">%s.</p>", escape(forecast.sentence()));
        add("<div class=\"grid\">");
        chart(
                "Expected time of a round, ms",
                MILLIS,
                "quorum",
                "quorum",
                "gradient",
                "gradient code",
                "product",
                "coded product",
                "replicated",
                "copies",
                "twoSpeeds",
                "coded product at two speeds");
        chart("Energy, of waiting for all", 1, "energy", "coded product at two speeds");
        add("</div>");
        table();
        add("%s", Html.foot());
        return text();
    }

    /**
     * Draws a chart with several lines.
     *
     * @param names for each line its key in the choices and its title
     */
    private void chart(String title, double unit, String... names) {
        List<LineChart.Series> lines = new ArrayList<>();
        for (int i = 0; i < names.length; i += 2) {
            lines.add(line(names[i], names[i + 1], Html.color(i / 2), unit));
        }
        add("<section><h2>%s</h2><div class=\"key\">", title);
        lines.forEach(
                each ->
                        add(
                                "<span><i style=\"background:%s\"></i>%s</span>",
                                each.color(), each.name()));
        add("</div>%s</section>", LineChart.draw(title, lines, false, UNIT));
    }

    private LineChart.Series line(String key, String name, String color, double unit) {
        List<Map<String, Object>> there =
                choices.stream().filter(each -> each.get(key) != null).toList();
        return new LineChart.Series(
                name,
                color,
                there.stream().mapToDouble(each -> (int) each.get("s")).toArray(),
                there.stream().mapToDouble(each -> unit * (double) each.get(key)).toArray());
    }

    private void table() {
        add("<section>%s</section>", Html.wholeTable(forecast.table()));
    }
}
