package dev.levee.jobs.internal.report.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Writes a LaTeX table of the chosen cells, with a row for each setting and a column for each
 * attack. It needs the package booktabs.
 */
final class StudyLatex {
    private static final double PERCENT = 100;

    private StudyLatex() {}

    static String of(StudyResults results) {
        List<Choice> choices = results.choices();
        List<String> axes = List.copyOf(choices.get(0).setting().keySet());
        List<String> attacks = results.attacks();
        StringBuilder latex = new StringBuilder();
        latex.append("% Mean over seeds with the half width of its 95 % confidence interval.\n");
        latex.append("% Needs \\usepackage{booktabs}.\n");
        latex.append(
                "\\begin{tabular}{%s%s}%n\\toprule%n"
                        .formatted("l".repeat(axes.size()), "r".repeat(attacks.size() + 1)));
        List<String> head = new ArrayList<>(axes.stream().map(StudyLatex::escaped).toList());
        attacks.forEach(attack -> head.add(escaped(attack)));
        head.add("worst case");
        latex.append(row(head)).append("\\midrule\n");
        for (Choice each : choices) {
            List<String> row =
                    new ArrayList<>(
                            each.setting().values().stream().map(StudyLatex::escaped).toList());
            for (String attack : attacks) {
                Curve curve = each.curves().get(attack);
                int point = curve == null ? -1 : curve.point(results.best());
                row.add(
                        point < 0
                                ? "--"
                                : number(curve, curve.mean()[point])
                                        + (curve.cells() > 1
                                                ? "\\,$\\pm$\\,"
                                                        + number(curve, curve.reach()[point])
                                                : ""));
            }
            row.add(
                    each.worst() == null
                            ? "--"
                            : "\\textbf{"
                                    + number(each.curves().get(each.worst()), each.value())
                                    + "}");
            latex.append(row(row));
        }
        return latex.append("\\bottomrule\n\\end{tabular}\n").toString();
    }

    /** Formats a value; shares are percentages. */
    private static String number(Curve curve, double value) {
        boolean share =
                CellResult.score(curve.score()).filter(score -> score.isShare()).isPresent();
        return String.format(Locale.ROOT, share ? "%.1f" : "%.4g", share ? PERCENT * value : value);
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" & ", "", " \\\\\n"));
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (char c : text.toCharArray()) {
            escaped.append(
                    switch (c) {
                        case '\\' -> "\\textbackslash{}";
                        case '~' -> "\\textasciitilde{}";
                        case '^' -> "\\textasciicircum{}";
                        case '|' -> "\\textbar{}";
                        case '&', '%', '$', '#', '_', '{', '}' -> "\\" + c;
                        default -> String.valueOf(c);
                    });
        }
        return escaped.toString();
    }
}
