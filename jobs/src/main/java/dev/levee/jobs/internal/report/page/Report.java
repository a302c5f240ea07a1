package dev.levee.jobs.internal.report.page;

import static dev.levee.jobs.internal.report.markup.Html.color;
import static dev.levee.jobs.internal.report.markup.Html.escape;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.Markup;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.markup.ValuesTable;
import dev.levee.jobs.internal.report.summary.Sample;
import dev.levee.jobs.internal.report.summary.Summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A self-contained HTML page about one or more runs, with styles, charts and images inside. */
public final class Report extends Markup {
    private static final List<String> PHASE_COLORS =
            List.of("#2f6fde", "#8fb6f5", "#0b9b74", "#8fd6bf", "#e8a33d", "#a78bda");

    private final List<RunView> runs;
    private final Participants kind;

    private Report(List<RunView> runs) {
        this.runs = runs;
        kind = Participants.of(runs.get(0));
    }

    /** Returns the page. */
    public static String of(List<RunView> runs) {
        return new Report(runs).page();
    }

    private String page() {
        RunView first = runs.get(0);
        String title = first.setting("model") + " on " + trimmed(first.setting("dataset"));
        add("%s", Html.head(title));
        add("<h1>%s</h1>", escape(title));
        add("<p class=\"lead\">%s</p>", escape(kind.lead(first)));
        Object evaluator = first.setting("evaluator");
        if (ImagesSections.has(first)) {
            add("%s", ImagesSections.of(runs));
            add("<div class=\"grid\">");
        } else {
            table();
            StalledTraining.sentences(runs)
                    .forEach(
                            sentence ->
                                    add(
                                            "<section class=\"wrong\"><p>%s</p></section>",
                                            escape(sentence)));
            add("<div class=\"grid\">");
            String where = evaluator == null ? " on the test set" : ", as reported by " + evaluator;
            add("%s", charts().scores(escape(where)));
            add("%s", charts().testLoss("Loss" + escape(where)));
            add("</div><div class=\"grid\">");
        }
        phases();
        add("%s", charts().trainingLoss("Training loss that selected workers reported"));
        add("</div>");
        if (first.elastic()) {
            add("<div class=\"grid\">");
            chart("Workers whose gradients made a model", RunView.Point::workers, false);
            chart("Samples of a round, over all workers", RunView.Point::batch, false);
            chart(
                    "Progress, in rounds at the batch it started with",
                    RunView.Point::progress,
                    false);
            chart("Gain of a round, in rounds at that batch", RunView.Point::gain, false);
            chart("Noise scale of the gradient, in samples", RunView.Point::noiseScale, false);
            add("</div>");
        }
        add("%s", kind.sections(runs));
        runs.forEach(run -> add("%s", CodingSection.of(run)));
        runs.forEach(run -> add("%s", RefusedSection.of(run)));
        runs.forEach(run -> add("%s", CodeFaultsSection.of(run)));
        runs.forEach(run -> add("%s", GpuSection.of(run)));
        samples(first);
        configuration(first);
        add("%s", Html.foot());
        return text();
    }

    private void table() {
        ScoreColumns scores = ScoreColumns.of(runs);
        List<String> headings = new ArrayList<>(scores.capitals());
        headings.add(0, kind.heading());
        headings.addAll(List.of("Final loss", "Rounds/s", "Rows from attackers"));
        add("<section>%s", Html.table(headings));
        for (int i = 0; i < runs.size(); i++) {
            RunView run = runs.get(i);
            Summary summary = run.summary();
            add(
                    "<tr><th scope=\"row\"><i style=\"background:%s\"></i>%s</th><td"
                            + " class=\"big\">%s</td><td>%s</td><td>%s</td><td>%s</td></tr>",
                    color(i),
                    escape(run.rule()),
                    String.join("</td><td>", scores.cells(summary)),
                    Numbers.decimals(summary.finalLoss(), 3),
                    Numbers.decimals(summary.roundsPerSecond(), 1),
                    Numbers.percent(run.attackersShare()));
        }
        add("%s", Html.TABLE_END);
        Object evaluator = runs.get(0).setting("evaluator");
        if (evaluator != null) {
            add(
                    "<p class=\"note\">Scores and final loss are as reported by %s, on samples of"
                            + " its own; the run does not depend on them.</p>",
                    escape(String.valueOf(evaluator)));
        }
        add("</section>");
    }

    private void chart(String title, ToDoubleFunction<RunView.Point> value, boolean percent) {
        add("%s", charts().section(title, value, percent));
    }

    private RunCharts charts() {
        return RunCharts.of(runs);
    }

    private void phases() {
        add("<section><h2>Time of a round, by phase</h2><div class=\"key\">");
        int color = 0;
        for (String phase : runs.get(0).summary().secondsByPhase().keySet()) {
            add(
                    "<span><i style=\"background:%s\"></i>%s</span>",
                    PHASE_COLORS.get(color++ % PHASE_COLORS.size()), escape(phase));
        }
        add("</div>");
        List<String> headings = new ArrayList<>(List.of("ms"));
        List<List<String>> rows = new ArrayList<>();
        for (RunView run : runs) {
            Map<String, Double> phases = run.summary().secondsByPhase();
            List<String> row = new ArrayList<>(List.of(escape(run.rule())));
            double all = phases.values().stream().mapToDouble(Double::doubleValue).sum();
            double rounds = Math.max(1, run.summary().roundsDone());
            add(
                    "<div>%s, %s ms</div><div class=\"bar\">",
                    escape(run.rule()), Numbers.decimals(1000 * all / rounds, 1));
            color = 0;
            for (Map.Entry<String, Double> phase : phases.entrySet()) {
                String millis = Numbers.decimals(1000 * phase.getValue() / rounds, 2);
                row.add(millis);
                add(
                        "<span style=\"flex:%.4f;background:%s\" title=\"%s: %s ms\"></span>",
                        all == 0 ? 0 : phase.getValue() / all,
                        PHASE_COLORS.get(color++ % PHASE_COLORS.size()),
                        escape(phase.getKey()),
                        millis);
            }
            add("</div>");
            rows.add(row);
        }
        runs.get(0).summary().secondsByPhase().keySet().forEach(each -> headings.add(escape(each)));
        add("%s", ValuesTable.of("Time of a round, by phase", headings, rows));
        add("<p class=\"note\">Mean over all rounds, on their critical path.</p></section>");
    }

    private void samples(RunView run) {
        if (run.samples().isEmpty()) {
            return;
        }
        add("<section><h2>Test images, as the model of %s reads them</h2>", escape(run.rule()));
        add("<div class=\"samples\">");
        for (Sample sample : run.samples()) {
            boolean right = sample.label() == sample.predicted();
            add(
                    "<figure%s><img alt=\"class %d\" src=\"data:image/png;base64,%s\">"
                            + "<figcaption>%s</figcaption></figure>",
                    right ? "" : " class=\"wrong\"",
                    sample.label(),
                    escape(sample.png()),
                    right
                            ? String.valueOf(sample.label())
                            : "<b>%s</b>, not %d"
                                    .formatted(
                                            sample.predicted() < 0
                                                    ? "nothing"
                                                    : String.valueOf(sample.predicted()),
                                            sample.label()));
        }
        add("</div></section>");
    }

    private void configuration(RunView first) {
        add("<section><h2>Configuration</h2><dl>");
        first.summary()
                .configuration()
                .forEach(
                        (name, value) ->
                                add(
                                        "<div><dt>%s</dt><dd>%s</dd></div>",
                                        escape(name),
                                        escape(
                                                name.equals(kind.option())
                                                        ? String.join(
                                                                "; ",
                                                                runs.stream()
                                                                        .map(RunView::rule)
                                                                        .toList())
                                                        : String.valueOf(value))));
        add("</dl>");
        if (first.summary().provenance() != null) {
            add("<p class=\"note\">%s</p>", escape(first.summary().provenance().sentence()));
        }
        add("<p class=\"note\" style=\"margin-top:14px\">SHA-256 of the final parameters:");
        for (RunView run : runs) {
            add(
                    "<br>%s <code>%s</code>",
                    escape(run.rule()), escape(run.summary().parametersSha256()));
        }
        add("</p></section>");
    }

    /** A URI without a trailing colon, as in {@code strokes:}. */
    private static String trimmed(Object uri) {
        return String.valueOf(uri).replaceAll(":$", "");
    }
}
