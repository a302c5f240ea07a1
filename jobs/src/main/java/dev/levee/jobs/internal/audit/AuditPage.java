package dev.levee.jobs.internal.audit;

import static dev.levee.jobs.internal.report.markup.Html.escape;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.LineChart;
import dev.levee.jobs.internal.report.markup.Markup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/** {@code audit.html}: shows whether a log of rounds is intact, and compares its workers. */
public final class AuditPage extends Markup {
    /** Maximum number of lines in a chart; a reader cannot tell more apart. */
    private static final int DRAWN = 8;

    /**
     * Maximum number of points of a line. With more rounds, each point shows the largest value of
     * several.
     */
    private static final int POINTS = 200;

    private final AuditCheck check;
    private final Ranking ranking;
    private final AuditText words;

    private AuditPage(AuditCheck check, Ranking ranking) {
        this.check = check;
        this.ranking = ranking;
        this.words = new AuditText(check, ranking);
    }

    public static String of(AuditCheck check, Ranking ranking) {
        return new AuditPage(check, ranking).page();
    }

    private String page() {
        add("%s", Html.head("audit"));
        add("<h1>Audit</h1><p class=\"lead\">%s.</p>", escape(words.verdict()));
        list("Problems", check.problems());
        list("Notes", check.notes());
        list("Findings", words.findings());
        table();
        add("<div class=\"grid\">");
        chart("Distance to the nearest half, of the median's", LoggedRound::distances);
        chart("Loss, of the median's", LoggedRound::losses);
        add("</div>%s", Html.foot());
        return text();
    }

    private void list(String title, List<String> sentences) {
        if (sentences.isEmpty()) {
            return;
        }
        add("<section><h2>%s</h2>", title);
        sentences.forEach(each -> add("<p>%s</p>", escape(each)));
        add("</section>");
    }

    private void table() {
        add("<section><h2>Workers</h2>%s</section>", Html.wholeTable(words.table()));
    }

    private void chart(String title, Function<LoggedRound, double[]> values) {
        List<WorkerHistory> drawn =
                ranking.workers().subList(0, Math.min(DRAWN, ranking.workers().size()));
        List<LineChart.Series> lines = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            lines.add(line(drawn.get(i).worker(), Html.color(i), values));
        }
        add("<section><h2>%s</h2><div class=\"key\">", escape(title));
        lines.forEach(
                each ->
                        add(
                                "<span><i style=\"background:%s\"></i>%s</span>",
                                each.color(), each.name()));
        add(
                "</div>%s%s</section>",
                LineChart.draw(escape(title), lines, false),
                drawn.size() < ranking.workers().size()
                        ? "<p class=\"note\">The first %d of %d workers.</p>"
                                .formatted(drawn.size(), ranking.workers().size())
                        : "");
    }

    /**
     * Draws a worker's ratio to the median: the largest of each stretch of rounds, at the first
     * server.
     */
    private LineChart.Series line(
            int worker, String color, Function<LoggedRound, double[]> values) {
        List<LoggedRound> rounds = check.rounds().stream().filter(e -> e.server() == 0).toList();
        int stretch = Math.max(1, (rounds.size() + POINTS - 1) / POINTS);
        Map<Integer, Double> largest = new HashMap<>();
        for (int i = 0; i < rounds.size(); i++) {
            double[] all = values.apply(rounds.get(i));
            int row = Arrays.binarySearch(rounds.get(i).rows(), worker);
            double far = row < 0 ? Double.NaN : Ranking.relative(all, row, Ranking.median(all));
            if (Double.isFinite(far)) {
                largest.merge(i / stretch, Math.exp(far), Math::max);
            }
        }
        int points = (rounds.size() + stretch - 1) / stretch;
        double[] x = new double[points];
        double[] y = new double[points];
        IntStream.range(0, points)
                .forEach(
                        i -> {
                            int last = Math.min(rounds.size(), (i + 1) * stretch) - 1;
                            x[i] = rounds.get(last).round() + 1;
                            y[i] = largest.getOrDefault(i, Double.NaN);
                        });
        return new LineChart.Series("worker " + worker, color, x, y);
    }
}
