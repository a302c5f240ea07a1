package dev.levee.jobs.internal.report.page;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.LineChart;
import dev.levee.jobs.internal.report.markup.LineChart.Series;
import dev.levee.learners.Score;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Sections with charts in which each run is a line.
 *
 * @param runs the runs
 * @param names the name of each, in the same order
 */
public record RunCharts(List<RunView> runs, List<String> names) {
    /** Charts of runs that are named after their rules or samplings. */
    static RunCharts of(List<RunView> runs) {
        return new RunCharts(runs, runs.stream().map(RunView::rule).toList());
    }

    /**
     * A section with a chart over rounds.
     *
     * @param percent true if values are shares of 1
     */
    public String section(String title, ToDoubleFunction<RunView.Point> value, boolean percent) {
        return section(title, value, percent, run -> false);
    }

    /** A section with a chart of the test loss over rounds. */
    public String testLoss(String title) {
        return section(
                title, RunView.Point::testLoss, false, run -> run.summary().finalLoss() == null);
    }

    /** A section with a chart of the training loss over rounds. */
    String trainingLoss(String title) {
        return section(
                title,
                RunView.Point::trainingLoss,
                false,
                run -> !Double.isFinite(run.points().get(run.points().size() - 1).trainingLoss()));
    }

    /**
     * @param diverged true for a run whose last value is not finite; only asked if one is finite
     */
    private String section(
            String title,
            ToDoubleFunction<RunView.Point> value,
            boolean percent,
            Predicate<RunView> diverged) {
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            List<RunView.Point> points =
                    runs.get(i).points().stream()
                            .filter(each -> !Double.isNaN(value.applyAsDouble(each)))
                            .toList();
            series.add(
                    new Series(
                            Html.escape(names.get(i)),
                            Html.color(i),
                            points.stream().mapToDouble(RunView.Point::version).toArray(),
                            points.stream().mapToDouble(value).toArray()));
        }
        boolean ends =
                runs.stream()
                        .filter(
                                run ->
                                        run.points().stream()
                                                .mapToDouble(value)
                                                .anyMatch(Double::isFinite))
                        .anyMatch(diverged);
        return "<section><h2>%s</h2>%n".formatted(title)
                + key()
                + LineChart.draw(title, series, percent)
                + (ends
                        ? "<p class=\"note\">A line ends where the loss is no longer a finite"
                                + " number.</p>"
                        : "")
                + "</section>\n";
    }

    /** A section for each score, with a chart over rounds. */
    public String scores(String where) {
        StringBuilder sections = new StringBuilder();
        for (Score score : ScoreColumns.of(runs).scores()) {
            String name = ScoreColumns.capital(score.label());
            // R² has no lower bound, so one bad model would flatten the rest of the line.
            sections.append(
                    score == Score.R2
                            ? section(
                                    name + where + ", where it is above 0",
                                    point -> positive(point.score(score)),
                                    false)
                            : section(name + where, point -> point.score(score), score.isShare()));
        }
        return sections.toString();
    }

    private static double positive(double value) {
        return value >= 0 ? value : Double.NaN;
    }

    private String key() {
        StringBuilder key = new StringBuilder("<div class=\"key\">");
        for (int i = 0; i < names.size(); i++) {
            key.append(
                    "<span><i style=\"background:%s\"></i>%s</span>%n"
                            .formatted(Html.color(i), Html.escape(names.get(i))));
        }
        return key.append("</div>\n").toString();
    }
}
