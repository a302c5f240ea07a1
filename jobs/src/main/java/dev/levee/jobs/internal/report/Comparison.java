package dev.levee.jobs.internal.report;

import static dev.levee.jobs.internal.report.markup.Html.color;
import static dev.levee.jobs.internal.report.markup.Html.escape;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.page.RunCharts;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.page.ScoreColumns;
import dev.levee.jobs.internal.report.summary.Provenance;
import dev.levee.jobs.internal.report.summary.Summary;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Compares several runs side by side.
 *
 * @param runs the runs
 * @param names the name of each, in the same order
 */
public record Comparison(List<RunView> runs, List<String> names) {
    public Comparison {
        runs = List.copyOf(runs);
        names = List.copyOf(names);
    }

    /**
     * Reads the runs in some folders: from each folder, all runs of one invocation.
     *
     * @throws IllegalArgumentException if a folder has no complete run; one sentence
     */
    public static Comparison of(List<String> folders) throws IOException {
        List<RunView> runs = new ArrayList<>();
        List<String> names = new ArrayList<>();
        boolean distinct =
                folders.stream().map(Comparison::lastName).distinct().count() == folders.size();
        for (String folder : folders) {
            List<RunView> found = in(folder);
            if (found.isEmpty()) {
                throw new IllegalArgumentException(
                        folder
                                + " has no complete run: summary.json is missing; levee runs DIR"
                                + " lists the runs below DIR");
            }
            String name = distinct ? lastName(folder) : folder;
            for (RunView run : found) {
                runs.add(run);
                names.add(found.size() == 1 ? name : name + ": " + run.rule());
            }
        }
        return new Comparison(runs, names);
    }

    private static List<RunView> in(String folder) throws IOException {
        String root = OutputLayout.absolute(folder);
        Optional<RunRecord> record = new RunFiles(root).record();
        return record.isPresent()
                ? RunFiles.complete(record.get().layout(root))
                : new RunFiles(root).read().stream().toList();
    }

    private static String lastName(String folder) {
        String absolute = OutputLayout.absolute(folder);
        return absolute.substring(absolute.lastIndexOf('/') + 1);
    }

    /** The options whose values differ between runs, in order. */
    public List<String> differing() {
        return options(false);
    }

    private List<String> options(boolean same) {
        Set<String> all = new LinkedHashSet<>();
        runs.forEach(run -> all.addAll(run.summary().configuration().keySet()));
        return all.stream()
                .filter(
                        name ->
                                same
                                        == (runs.stream()
                                                        .map(run -> text(run, name))
                                                        .distinct()
                                                        .count()
                                                == 1))
                .toList();
    }

    /** An option's value, a dash where a run has none. */
    public static String text(RunView run, String option) {
        return Objects.toString(run.setting(option), "–");
    }

    /** Returns a self-contained HTML page. */
    public String page() {
        StringBuilder html = new StringBuilder(Html.head("comparison"));
        add(html, "<h1>%d runs side by side</h1><p class=\"lead\">%s</p>", runs.size(), lead());
        scores(html);
        RunCharts charts = new RunCharts(runs, names);
        html.append("<div class=\"grid\">")
                .append(charts.scores(""))
                .append(charts.testLoss("Loss on the test set"))
                .append("</div>\n");
        differences(html);
        add(html, "<section><h2>The same in all</h2><dl>");
        for (String option : options(true)) {
            add(
                    html,
                    "<div><dt>%s</dt><dd>%s</dd></div>",
                    escape(option),
                    escape(text(runs.get(0), option)));
        }
        add(html, "</dl></section>");
        return html.append(Html.foot()).toString();
    }

    private String lead() {
        List<String> differing = differing();
        return differing.isEmpty()
                ? "All options are the same."
                : "They differ in " + escape(String.join(", ", differing)) + ".";
    }

    private void scores(StringBuilder html) {
        ScoreColumns scores = ScoreColumns.of(runs);
        List<String> headings = new ArrayList<>(List.of("Run", "Rule"));
        headings.addAll(scores.capitals());
        headings.addAll(List.of("Final loss", "Rounds", "Rounds/s", "Rows from attackers"));
        add(html, "<section>%s", Html.table(headings));
        for (int i = 0; i < runs.size(); i++) {
            Summary summary = runs.get(i).summary();
            add(
                    html,
                    "<tr><th scope=\"row\"><i style=\"background:%s\"></i>%s</th><td>%s</td>"
                            + "<td class=\"big\">%s</td><td>%s</td><td>%d</td><td>%s</td>"
                            + "<td>%s</td></tr>",
                    color(i),
                    escape(names.get(i)),
                    escape(runs.get(i).rule()),
                    String.join("</td><td>", scores.cells(summary)),
                    Numbers.decimals(summary.finalLoss(), 3),
                    summary.roundsDone(),
                    Numbers.decimals(summary.roundsPerSecond(), 1),
                    Numbers.percent(runs.get(i).attackersShare()));
        }
        add(html, "%s</section>", Html.TABLE_END);
    }

    private void differences(StringBuilder html) {
        List<String> headings = new ArrayList<>(List.of("Option"));
        names.forEach(name -> headings.add(escape(name)));
        add(html, "<section><h2>Where they differ</h2>%s", Html.table(headings));
        for (String option : differing()) {
            add(html, "<tr><th scope=\"row\">%s</th>", escape(option));
            runs.forEach(run -> add(html, "<td>%s</td>", escape(text(run, option))));
            add(html, "</tr>");
        }
        for (String fact : List.of("started", "levee", "machine", "git")) {
            add(html, "<tr><th scope=\"row\">%s</th>", fact);
            runs.forEach(run -> add(html, "<td>%s</td>", escape(fact(run.summary(), fact))));
            add(html, "</tr>");
        }
        add(html, "%s</section>", Html.TABLE_END);
    }

    private static String fact(Summary summary, String name) {
        Provenance provenance = summary.provenance();
        if (provenance == null) {
            return "–";
        }
        String value =
                switch (name) {
                    case "started" -> provenance.started();
                    case "levee" -> provenance.levee();
                    case "machine" -> provenance.machine();
                    default -> provenance.git();
                };
        return Objects.toString(value, "–");
    }

    private static void add(StringBuilder html, String format, Object... arguments) {
        html.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
