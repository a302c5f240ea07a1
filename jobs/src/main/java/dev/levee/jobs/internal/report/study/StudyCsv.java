package dev.levee.jobs.internal.report.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes a study as comma-separated values, a line for each cell. The table holds no times, so the
 * same study gives the same bytes.
 */
final class StudyCsv {
    private StudyCsv() {}

    /**
     * Returns the table.
     *
     * @param command the command that repeats a cell
     */
    static String of(StudyResults results, Function<CellResult, String> command) {
        List<String> axes = List.copyOf(results.values().keySet());
        List<String> head = new ArrayList<>(axes);
        head.addAll(
                List.of(
                        "cell",
                        "status",
                        "score",
                        "best",
                        "best_round",
                        "final",
                        "final_loss",
                        "best_validation",
                        "chosen",
                        "model_sha256",
                        "reason",
                        "command"));
        StringBuilder csv = new StringBuilder(line(head));
        List<Choice> choices = results.choices();
        for (CellResult cell : results.cells()) {
            List<String> line = new ArrayList<>();
            axes.forEach(axis -> line.add(cell.point().get(axis)));
            line.add(cell.id());
            line.add(cell.complete() ? "complete" : "failed");
            line.add(cell.score());
            scores(cell, line);
            line.add(String.valueOf(results.chosen(cell, choices)));
            line.add(cell.complete() ? cell.model() : "");
            line.add(cell.complete() ? "" : cell.failure());
            line.add(command.apply(cell));
            csv.append(line(line));
        }
        return csv.toString();
    }

    private static void scores(CellResult cell, List<String> line) {
        if (!cell.complete() || cell.points().isEmpty()) {
            line.addAll(List.of("", "", "", "", ""));
            return;
        }
        CellResult.Point best = cell.points().get(0);
        for (CellResult.Point each : cell.points()) {
            best = Curve.better(cell.score(), each.score(), best.score()) ? each : best;
        }
        CellResult.Point last = cell.points().get(cell.points().size() - 1);
        line.add(String.valueOf(best.score()));
        line.add(String.valueOf(best.rounds()));
        line.add(String.valueOf(last.score()));
        line.add(String.valueOf(last.loss()));
        line.add(
                cell.points().stream()
                        .map(CellResult.Point::validation)
                        .filter(Objects::nonNull)
                        .reduce(
                                (one, other) ->
                                        Curve.better(cell.score(), other, one) ? other : one)
                        .map(String::valueOf)
                        .orElse(""));
    }

    private static String line(List<String> values) {
        return values.stream().map(StudyCsv::quoted).collect(Collectors.joining(",", "", "\n"));
    }

    private static String quoted(String value) {
        return value.matches("[^\",\\r\\n]*") ? value : "\"" + value.replace("\"", "\"\"") + "\"";
    }
}
