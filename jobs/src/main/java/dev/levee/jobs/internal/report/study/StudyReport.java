package dev.levee.jobs.internal.report.study;

import static dev.levee.jobs.internal.report.markup.Html.escape;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.LineChart;
import dev.levee.jobs.internal.report.markup.Markup;
import dev.levee.jobs.internal.report.summary.Provenance;
import dev.levee.learners.Score;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The HTML page about a study. */
public final class StudyReport extends Markup {
    private final StudyResults results;
    private final List<Choice> choices;
    private final String score;

    private StudyReport(StudyResults results) {
        this.results = results;
        choices = results.choices();
        score =
                choices.stream()
                        .filter(each -> each.worst() != null)
                        .map(Choice::score)
                        .findFirst()
                        .orElse(CellResult.LOSS);
    }

    /**
     * Writes the page and the tables to the folder of a study.
     *
     * @param command the command that repeats a cell
     */
    public static void write(
            CellFiles files,
            StudyResults results,
            Provenance provenance,
            Map<String, List<String>> study,
            Function<CellResult, String> command)
            throws IOException {
        files.write(
                new StudyReport(results).page(provenance, study, command),
                StudyCsv.of(results, command),
                StudyLatex.of(results));
    }

    private String page(
            Provenance provenance,
            Map<String, List<String>> study,
            Function<CellResult, String> command) {
        head();
        choices();
        add("%s", new StudyMaps(results, choices, score).html());
        curves();
        failures();
        cells(command);
        foot(provenance, study);
        return text();
    }

    private void head() {
        long complete = results.cells().stream().filter(CellResult::complete).count();
        double seconds = results.cells().stream().mapToDouble(CellResult::seconds).sum();
        add("%s", Html.head("study"));
        add("<h1>%s</h1>", escape(title()));
        add(
                "<p class=\"lead\">%,d cells, of which %,d are complete and %,d failed; %,.0f s of"
                        + " computation. %s under an attack is the mean over seeds%s. The worst case of"
                        + " a rule is the attack under which it is worst%s.</p>",
                results.cells().size(),
                complete,
                results.cells().size() - complete,
                seconds,
                StudyResults.capital(StudyResults.label(score)),
                results.best() ? " at the best evaluation" : " at the end",
                results.tuned().isEmpty()
                        ? ""
                        : "; the "
                                + String.join(" and the ", results.tuned())
                                + " with the best worst case"
                                + (choices.stream().anyMatch(Choice::validated)
                                        ? " on the validation set"
                                        : "")
                                + " is shown");
    }

    private String title() {
        return "%d rules, %d attacks%s"
                .formatted(
                        results.rules().size(),
                        results.attacks().size(),
                        results.conditions().isEmpty()
                                ? ""
                                : ", by " + String.join(" and ", results.conditions()));
    }

    private void choices() {
        List<List<String>> lines = results.lines();
        List<String> headings = lines.get(0).stream().map(Html::escape).toList();
        add("<section><h2>Worst cases</h2>%s", Html.table(headings));
        for (List<String> line : lines.subList(1, lines.size())) {
            add("<tr><th scope=\"row\">%s</th>", escape(line.get(0)));
            line.stream().skip(1).forEach(each -> add("<td>%s</td>", escape(each)));
            add("</tr>");
        }
        add("%s</section>", Html.TABLE_END);
    }

    private void curves() {
        boolean share = CellResult.score(score).filter(Score::isShare).isPresent();
        boolean bands =
                choices.stream()
                        .flatMap(each -> each.curves().values().stream())
                        .anyMatch(each -> each.cells() - each.failed() > 1);
        List<String> attacks = results.attacks();
        add("<div class=\"grid\">");
        for (Choice each : choices) {
            List<LineChart.Series> lines = new ArrayList<>();
            StringBuilder key = new StringBuilder();
            for (Map.Entry<String, Curve> curve : each.curves().entrySet()) {
                String color = Html.color(attacks.indexOf(curve.getKey()));
                String name = escape(curve.getKey());
                key.append("<span><i style=\"background:%s\"></i>%s</span>".formatted(color, name));
                lines.add(
                        new LineChart.Series(
                                name,
                                color,
                                curve.getValue().rounds(),
                                curve.getValue().mean(),
                                curve.getValue().reach()));
            }
            if (each.curves().values().stream().allMatch(curve -> curve.mean().length == 0)) {
                continue;
            }
            String title = StudyResults.title(each.setting());
            add(
                    "<section><h2>%s</h2><div class=\"key\">%s</div>%s%s</section>",
                    escape(title),
                    key,
                    LineChart.draw(
                            escape(
                                    StudyResults.capital(StudyResults.label(each.score()))
                                            + " of "
                                            + title),
                            lines,
                            share),
                    each.tuned().isEmpty()
                            ? ""
                            : "<p class=\"note\">With "
                                    + escape(StudyResults.words(each.tuned()))
                                    + ".</p>");
        }
        add("</div>");
        if (bands) {
            add(
                    "<p class=\"note\">Lines are means over seeds, bands 95 %% confidence intervals"
                            + " of the mean (Student's t).</p>");
        }
    }

    private void failures() {
        Map<String, List<CellResult>> failures = results.failures();
        if (failures.isEmpty()) {
            return;
        }
        add("<section><h2>Failed cells</h2>%s", Html.table(List.of("Reason", "Cells")));
        failures.forEach(
                (reason, cells) ->
                        add(
                                "<tr><th scope=\"row\""
                                        + " style=\"white-space:normal\">%s</th><td>%,d</td></tr>",
                                escape(reason), cells.size()));
        add("%s</section>", Html.TABLE_END);
    }

    private void cells(Function<CellResult, String> command) {
        add(
                "<section><h2>Cells</h2><details><summary>The command that repeats each"
                        + " cell</summary>");
        List<String> headings = new ArrayList<>(List.of("Cell"));
        results.values().keySet().forEach(axis -> headings.add(escape(axis)));
        headings.add(StudyResults.capital(StudyResults.label(score)) + " at the end");
        headings.addAll(List.of("Model", "Seconds", "Command"));
        add("%s", Html.table(headings));
        for (CellResult cell : results.cells()) {
            add("<tr><th scope=\"row\"><code>%s</code></th>", cell.id());
            results.values()
                    .keySet()
                    .forEach(axis -> add("<td>%s</td>", escape(cell.point().get(axis))));
            boolean ended = cell.complete() && !cell.points().isEmpty();
            add(
                    "<td>%s</td><td><code>%s</code></td><td>%.1f</td><td"
                            + " style=\"text-align:left\"><code>%s</code></td></tr>",
                    ended
                            ? StudyResults.text(
                                    cell.score(),
                                    cell.points().get(cell.points().size() - 1).score())
                            : "failed",
                    cell.complete() ? cell.model().substring(0, 12) : "",
                    cell.seconds(),
                    escape(command.apply(cell)));
        }
        add("</tbody></table></div></details>");
        add(
                "<p class=\"note\">Model is the beginning of what <code>sha256sum model.npz</code>"
                        + " prints after the command.</p></section>");
    }

    private void foot(Provenance provenance, Map<String, List<String>> study) {
        add("<section><h2>Study</h2><dl>");
        study.forEach(
                (name, values) ->
                        add(
                                "<div><dt>%s</dt><dd>%s</dd></div>",
                                escape(name), escape(String.join(", ", values))));
        add(
                "</dl></section><p class=\"note\">%s</p>%s",
                escape(provenance.sentence()), Html.foot());
    }
}
