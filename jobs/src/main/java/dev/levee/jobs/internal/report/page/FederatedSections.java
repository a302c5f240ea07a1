package dev.levee.jobs.internal.report.page;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.LineChart;
import dev.levee.jobs.internal.report.markup.LineChart.Series;
import dev.levee.jobs.internal.report.markup.Markup;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.markup.ValuesTable;
import dev.levee.jobs.internal.report.summary.FederatedSummary;
import dev.levee.learners.Score;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** The sections about federated runs: devices asked, classes seen, bytes moved. */
final class FederatedSections extends Markup {
    private static final int WIDTH = 460;
    private static final int HEIGHT = 220;
    private static final int LEFT = 46;
    private static final int BOTTOM = 34;

    private final List<RunView> runs;

    /** The score by which models are compared. */
    private final Score score;

    private final String title;

    private FederatedSections(List<RunView> runs) {
        this.runs = runs;
        score = runs.get(0).summary().told().get(0);
        title = ScoreColumns.capital(score.label());
    }

    /** Returns the sections as HTML. */
    static String of(List<RunView> runs) {
        return new FederatedSections(runs).sections();
    }

    /** Summarizes a federated run in a sentence. */
    static String lead(RunView first) {
        FederatedSummary devices = first.federated();
        boolean pulled = devices.stalenessHistogram() != null;
        if (devices.dropped() != null && devices.virtualSeconds() == null) {
            return "%d versions, each of %s contributions of %s devices that trained on data of their own and pulled the model when they were free (%s)."
                    .formatted(
                            first.summary().roundsDone(),
                            first.setting("buffer"),
                            first.setting("devices"),
                            first.setting("algorithm"));
        }
        return (pulled
                                ? "%d versions, while %s of %s devices trained at a time on data of"
                                        + " their own, without a barrier (%s)."
                                : "%d rounds, each of which asked %s of %s devices to train on data"
                                        + " of their own (%s).")
                        .formatted(
                                first.summary().roundsDone(),
                                first.setting("per-round"),
                                first.setting("devices"),
                                first.setting("algorithm"))
                + (devices.epsilon() == null
                        ? ""
                        : (" With %s sampling, ε = %s at δ = %s for each device, compared"
                                        + " with one that sends zeros.")
                                .formatted(
                                        first.rule(),
                                        Numbers.decimals(devices.epsilon(), 3),
                                        devices.delta()));
    }

    private String sections() {
        boolean classes = runs.stream().anyMatch(run -> run.federated().classes() > 1);
        table(classes);
        add("<div class=\"grid\">");
        if (classes) {
            chart(
                    "KL divergence of the classes seen from equal shares",
                    false,
                    "rounds",
                    "Samples count each time a device that holds them takes part. 0 is balance.",
                    this::divergence);
            chart("Share of classes seen", true, "rounds", null, this::classes);
        }
        if (!ImagesSections.has(runs.get(0))) {
            chart(title + " by bytes moved", score.isShare(), "MB", null, this::byBytes);
            chart(title + " by time", score.isShare(), "s", null, this::bySeconds);
        }
        late();
        add("</div><div class=\"grid\">");
        if (classes) {
            runs.forEach(this::seen);
        }
        add("</div><div class=\"grid\">");
        chart(
                "How often devices were asked",
                false,
                "devices",
                "Devices in order of how often they were asked, the most often first.",
                (run, color) -> sorted(run, color, run.federated().asked()));
        chart(
                "How much devices count",
                false,
                "devices",
                "Weight of each device over the mean of all, the largest first.",
                (run, color) -> sorted(run, color, run.federated().weights()));
        add("</div>");
        return text();
    }

    /** Draws charts of runs in virtual time or without a barrier. */
    private void late() {
        if (runs.stream().anyMatch(run -> run.federated().dropped() == null)) {
            return;
        }
        if (runs.stream().noneMatch(run -> run.federated().virtualSeconds() == null)) {
            chart(
                    title + " by virtual time",
                    score.isShare(),
                    "virtual s",
                    "A device of speed 1 computes on a batch in one virtual second.",
                    this::byVirtualSeconds);
        }
        if (runs.stream()
                .flatMap(run -> run.federated().dropped().stream())
                .anyMatch(times -> times > 0)) {
            chart(
                    "Contributions that came too late",
                    false,
                    "devices",
                    "After the deadline of their round, or too stale; the devices with most of them"
                            + " first.",
                    (run, color) -> sorted(run, color, run.federated().dropped()));
        }
        if (runs.stream().allMatch(run -> run.federated().stalenessHistogram() != null)) {
            staleness();
        }
    }

    private void staleness() {
        chart(
                "Staleness of the contributions that counted",
                false,
                "versions",
                "How many answered the version that was the newest when they came (0), the one"
                        + " before it, and so on.",
                FederatedSections::staleness);
        chart(
                "Mean staleness by device",
                false,
                "devices",
                "Of those that contributed, the stalest first.",
                (run, color) ->
                        sorted(
                                run,
                                color,
                                run.federated().meanStaleness().stream()
                                        .filter(mean -> mean != null && !mean.isNaN())
                                        .toList()));
    }

    private static Series staleness(RunView run, String color) {
        List<Long> counts = run.federated().stalenessHistogram();
        double[] ages = new double[counts.size()];
        Arrays.setAll(ages, i -> i);
        return new Series(
                Html.escape(run.rule()),
                color,
                ages,
                counts.stream().mapToDouble(Long::doubleValue).toArray());
    }

    /**
     * @param classes false if samples have targets instead of classes, so that the columns of
     *     classes are left out
     */
    private void table(boolean classes) {
        List<String> headings = new ArrayList<>(List.of("Sampling"));
        if (classes) {
            headings.addAll(List.of("95 % of classes after", "KL(seen‖uniform)"));
        }
        headings.addAll(List.of("Devices asked", "MB moved", "MB per device asked"));
        add("<section>%s", Html.table(headings));
        for (int i = 0; i < runs.size(); i++) {
            FederatedSummary devices = runs.get(i).federated();
            Integer covered = devices.roundsTo95PercentOfClasses();
            long asked = devices.asked().stream().filter(times -> times > 0).count();
            add(
                    "<tr><td><i style=\"background:%s\"></i>%s</td>%s"
                            + "<td>%d of %d</td><td>%s</td><td>%s</td></tr>",
                    Html.color(i),
                    Html.escape(runs.get(i).rule()),
                    classes
                            ? "<td class=\"big\">%s</td><td>%s</td>"
                                    .formatted(
                                            covered == null
                                                    ? "never"
                                                    : covered
                                                            + (covered == 1 ? " round" : " rounds"),
                                            Numbers.decimals(devices.lastKl(), 4))
                            : "",
                    asked,
                    devices.asked().size(),
                    Numbers.decimals(devices.bytes() / 1e6, 1),
                    Numbers.decimals(devices.bytes() / 1e6 / Math.max(1, asked), 2));
        }
        add("%s</section>", Html.TABLE_END);
    }

    private void chart(
            String title,
            boolean percent,
            String unit,
            String note,
            BiFunction<RunView, String, Series> series) {
        List<Series> lines = new ArrayList<>();
        add("<section><h2>%s</h2><div class=\"key\">", title);
        for (int i = 0; i < runs.size(); i++) {
            lines.add(series.apply(runs.get(i), Html.color(i)));
            add(
                    "<span><i style=\"background:%s\"></i>%s</span>",
                    Html.color(i), Html.escape(runs.get(i).rule()));
        }
        add("</div>%s", LineChart.draw(title, lines, percent, unit));
        if (note != null) {
            add("<p class=\"note\">%s</p>", note);
        }
        add("</section>");
    }

    private Series divergence(RunView run, String color) {
        return byRound(run, color, run.federated().klSeenUniform());
    }

    private Series classes(RunView run, String color) {
        double all = run.federated().classes();
        return byRound(
                run,
                color,
                run.federated().classesSeen().stream().map(each -> each / all).toList());
    }

    /** A line with a value for each round in metrics.csv, or without points if none is known. */
    private static Series byRound(RunView run, String color, List<Double> values) {
        double[] rounds =
                run.points().stream()
                        .mapToDouble(RunView.Point::version)
                        .filter(version -> version > 0)
                        .limit(values.size())
                        .toArray();
        return new Series(
                Html.escape(run.rule()),
                color,
                rounds,
                values.stream().mapToDouble(each -> each == null ? Double.NaN : each).toArray());
    }

    private Series byBytes(RunView run, String color) {
        return after(run, color, run.federated().bytesMoved().stream().map(b -> b / 1e6).toList());
    }

    private Series byVirtualSeconds(RunView run, String color) {
        return after(run, color, run.federated().virtualSeconds());
    }

    /**
     * A line of scores over a cumulative quantity, such as bytes, with a value for each round in
     * metrics.csv.
     */
    private Series after(RunView run, String color, List<Double> spent) {
        int offset = run.points().size() - spent.size();
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i < run.points().size() && !spent.isEmpty(); i++) {
            points.add(
                    new double[] {
                        i < offset ? 0 : spent.get(i - offset), run.points().get(i).score(score)
                    });
        }
        return evaluated(run, color, points);
    }

    private Series bySeconds(RunView run, String color) {
        return evaluated(
                run,
                color,
                run.points().stream()
                        .map(each -> new double[] {each.seconds(), each.score(score)})
                        .toList());
    }

    private static Series evaluated(RunView run, String color, List<double[]> points) {
        List<double[]> there = points.stream().filter(point -> !Double.isNaN(point[1])).toList();
        return new Series(
                Html.escape(run.rule()),
                color,
                there.stream().mapToDouble(point -> point[0]).toArray(),
                there.stream().mapToDouble(point -> point[1]).toArray());
    }

    private static Series sorted(RunView run, String color, List<? extends Number> values) {
        return Series.descending(
                Html.escape(run.rule()), color, values.stream().mapToDouble(Number::doubleValue));
    }

    /**
     * Draws the samples seen by class after some rounds. A class with more than an equal share is
     * dark.
     */
    private void seen(RunView run) {
        FederatedSummary.Seen seen = run.federated().seenByClass();
        add(
                "<section><h2>Samples seen of each class, %s</h2>"
                        + "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"samples seen\">",
                Html.escape(run.rule()), WIDTH, HEIGHT);
        int classes = run.federated().classes();
        double width = (double) (WIDTH - LEFT) / Math.max(1, seen.rounds().size());
        double height = (double) (HEIGHT - BOTTOM) / classes;
        for (int column = 0; column < seen.rounds().size(); column++) {
            long[] samples = seen.samples().get(column);
            long all = Arrays.stream(samples).sum();
            for (int label = 0; label < samples.length; label++) {
                double share = all == 0 ? 0 : (double) samples[label] * classes / all;
                add(
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\">"
                                + "<title>class %d after %d rounds: %d samples</title></rect>",
                        LEFT + column * width,
                        label * height,
                        width + 0.2,
                        height + 0.2,
                        shade(share),
                        label,
                        seen.rounds().get(column),
                        samples[label]);
            }
        }
        int every = Math.max(1, classes / 10);
        for (int label = 0; label < classes; label += every) {
            add(
                    "<text x=\"%d\" y=\"%.1f\" class=\"tick\" text-anchor=\"end\">%d</text>",
                    LEFT - 6, (label + 0.5) * height + 4, label);
        }
        if (!seen.rounds().isEmpty()) {
            add(
                    "<text x=\"%d\" y=\"%d\" class=\"tick\" text-anchor=\"end\">after %d"
                            + " rounds</text>",
                    WIDTH, HEIGHT - BOTTOM + 18, seen.rounds().get(seen.rounds().size() - 1));
        }
        add("</svg>%s", seenTable(run, seen));
        add("<p class=\"note\">A row is a class. White: nothing seen yet; the middle blue:");
        add("its equal share of all samples seen; the darkest: twice that or more.</p></section>");
    }

    private static String seenTable(RunView run, FederatedSummary.Seen seen) {
        List<String> headings = new ArrayList<>(List.of("rounds"));
        for (int label = 0; label < run.federated().classes(); label++) {
            headings.add("class " + label);
        }
        List<List<String>> rows = new ArrayList<>();
        for (int column = 0; column < seen.rounds().size(); column++) {
            List<String> row = new ArrayList<>(List.of(String.valueOf(seen.rounds().get(column))));
            for (long samples : seen.samples().get(column)) {
                row.add(String.valueOf(samples));
            }
            rows.add(row);
        }
        return ValuesTable.of(
                "Samples seen of each class, " + Html.escape(run.rule()), headings, rows);
    }

    /** The color of a share: white (0), blue (1), dark blue (2 and more). */
    private static String shade(double share) {
        double dark = Math.min(2, share) / 2;
        return String.format(
                Locale.ROOT,
                "rgb(%.0f,%.0f,%.0f)",
                255 - 235 * dark,
                255 - 200 * dark,
                255 - 130 * dark);
    }
}
