package dev.levee.jobs.internal.report.study;

import static dev.levee.jobs.internal.report.markup.Html.escape;

import dev.levee.jobs.internal.report.markup.HeatMap;
import dev.levee.jobs.internal.report.markup.Markup;
import dev.levee.learners.Score;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Draws the heat maps of a study on one scale. */
final class StudyMaps extends Markup {
    private static final String WORST = "worst case";

    private final StudyResults results;
    private final List<Choice> choices;
    private final String score;
    private final double low;
    private final double high;

    /**
     * Creates the maps of these choices.
     *
     * @param score name of the score
     */
    StudyMaps(StudyResults results, List<Choice> choices, String score) {
        this.results = results;
        this.choices = choices;
        this.score = score;
        Optional<Score> known = CellResult.score(score);
        boolean share = known.filter(Score::isShare).isPresent();
        double[] all =
                choices.stream()
                        .flatMap(each -> each.curves().values().stream())
                        .mapToDouble(each -> each.value(results.best()))
                        .filter(Double::isFinite)
                        .toArray();
        double worst = Arrays.stream(all).min().orElse(0);
        double least = share ? Math.floor(10 * worst) / 10 : worst;
        double most = share ? 1 : Arrays.stream(all).max().orElse(1);
        boolean higher = known.filter(Score::higherIsBetter).isPresent();
        low = higher ? least : most;
        high = higher ? most : least;
    }

    /** All heat maps. */
    String html() {
        maps();
        worstCases();
        return text();
    }

    /** Draws rule × attack for each combination of the other axes. */
    private void maps() {
        add("<div class=\"grid\">");
        for (Map<String, String> condition : StudyResults.distinct(choices, results.conditions())) {
            List<Choice> rules = choices(condition, results.conditions());
            List<String> attacks = results.attacks();
            List<List<HeatMap.Cell>> cells = new ArrayList<>();
            for (Choice rule : rules) {
                cells.add(
                        Stream.concat(
                                        Stream.of(worst(rule)),
                                        attacks.stream().map(attack -> cell(rule, attack)))
                                .toList());
            }
            add(
                    "<section><h2>%s%s</h2>%s</section>",
                    StudyResults.capital(StudyResults.label(score)),
                    condition.isEmpty() ? "" : ": " + escape(StudyResults.words(condition)),
                    HeatMap.draw(
                            "rule \\ attack",
                            rules.stream()
                                    .map(each -> each.setting().get(StudyResults.RULE))
                                    .toList(),
                            Stream.concat(Stream.of(WORST), attacks.stream()).toList(),
                            low,
                            high,
                            cells));
        }
        add("</div>");
    }

    private List<Choice> choices(Map<String, String> condition, List<String> axes) {
        return choices.stream()
                .filter(each -> StudyResults.part(each.setting(), axes).equals(condition))
                .toList();
    }

    private HeatMap.Cell cell(Choice choice, String attack) {
        Curve curve = choice.curves().get(attack);
        if (curve == null) {
            return new HeatMap.Cell(Double.NaN, "–", "no cell has this attack");
        }
        int point = curve.point(results.best());
        if (point < 0) {
            return new HeatMap.Cell(
                    Double.NaN,
                    "–",
                    "%d of %d cells failed".formatted(curve.failed(), curve.cells()));
        }
        return new HeatMap.Cell(
                curve.mean()[point],
                StudyResults.text(curve.score(), curve.mean()[point]),
                "±%s over %d seeds, round %.0f%s"
                        .formatted(
                                StudyResults.text(curve.score(), curve.reach()[point]),
                                curve.cells(),
                                curve.rounds()[point],
                                choice.tuned().isEmpty()
                                        ? ""
                                        : ", " + StudyResults.words(choice.tuned())));
    }

    private HeatMap.Cell worst(Choice choice) {
        return choice.worst() == null
                ? new HeatMap.Cell(Double.NaN, "–", "a cell failed")
                : new HeatMap.Cell(
                        choice.value(),
                        StudyResults.text(choice.score(), choice.value()),
                        "under " + choice.worst());
    }

    /** Draws the worst case of each rule over f, and over another axis if there is one. */
    private void worstCases() {
        List<String> conditions = results.conditions();
        if (conditions.isEmpty()) {
            return;
        }
        String across =
                conditions.contains(StudyResults.BYZANTINE)
                        ? StudyResults.BYZANTINE
                        : conditions.get(0);
        List<String> others = conditions.stream().filter(axis -> !axis.equals(across)).toList();
        add("<div class=\"grid\">");
        if (others.isEmpty()) {
            worstCases(
                    StudyResults.capital(WORST),
                    "rule",
                    List.of(StudyResults.RULE),
                    across,
                    Map.of());
        } else {
            for (String rule : results.rules()) {
                worstCases(
                        StudyResults.capital(WORST) + ": " + rule,
                        String.join(", ", others),
                        others,
                        across,
                        Map.of(StudyResults.RULE, rule));
            }
        }
        if (results.rules().size() > 1) {
            bestRules(others, across);
        }
        add("</div>");
    }

    /**
     * Draws a map with a row for each combination of some axes, and a column for each value of
     * another.
     */
    private void worstCases(
            String title, String corner, List<String> rows, String across, Map<String, String> of) {
        List<Choice> shown =
                choices.stream()
                        .filter(each -> each.setting().entrySet().containsAll(of.entrySet()))
                        .toList();
        draw(title, corner, rows, across, shown, this::worst);
    }

    private void bestRules(List<String> rows, String across) {
        draw(
                "Best rule in its worst case",
                rows.isEmpty() ? "" : String.join(", ", rows),
                rows,
                across,
                choices,
                best ->
                        best.worst() == null
                                ? worst(best)
                                : new HeatMap.Cell(
                                        best.value(),
                                        best.setting().get(StudyResults.RULE),
                                        StudyResults.text(best.score(), best.value())
                                                + " under "
                                                + best.worst()));
    }

    private void draw(
            String title,
            String corner,
            List<String> rows,
            String across,
            List<Choice> shown,
            Function<Choice, HeatMap.Cell> cell) {
        List<Map<String, String>> labels = List.copyOf(StudyResults.distinct(shown, rows));
        List<String> columns = results.values().get(across);
        List<List<HeatMap.Cell>> cells = new ArrayList<>();
        for (Map<String, String> label : labels) {
            List<HeatMap.Cell> line = new ArrayList<>();
            for (String column : columns) {
                Optional<Choice> best =
                        shown.stream()
                                .filter(each -> each.setting().get(across).equals(column))
                                .filter(
                                        each ->
                                                StudyResults.part(each.setting(), rows)
                                                        .equals(label))
                                .reduce((one, other) -> other.betterThan(one) ? other : one);
                line.add(best.map(cell).orElse(new HeatMap.Cell(Double.NaN, "", "")));
            }
            cells.add(line);
        }
        add(
                "<section><h2>%s</h2>%s</section>",
                escape(title),
                HeatMap.draw(
                        corner.isEmpty() ? across : corner + " \\ " + across,
                        labels.stream().map(each -> String.join(", ", each.values())).toList(),
                        columns,
                        low,
                        high,
                        cells));
    }
}
