package dev.levee.jobs.internal.report.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.report.summary.Provenance;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class StudyReportTest {
    private static final List<String> RULES = List.of("median", "nnm | trimmed-mean");
    private static final List<String> ATTACKS = List.of("none", "sign-flip", "nan");
    private static final List<String> SEEDS = List.of("1", "2", "3");
    private static final Pattern MAP =
            Pattern.compile("<table class=\"cells\">.*?</table>", Pattern.DOTALL);
    private static final Pattern ROW = Pattern.compile("<tr><th scope=\"row\">(.*?)</tr>");
    private static final Pattern CELL = Pattern.compile("<td [^>]*>(.*?)</td>");

    @TempDir Path folder;

    /** Accuracies that differ in every cell, the last one being worse than the best. */
    private static CellResult cell(String rule, String attack, String seed) {
        LinkedHashMap<String, String> point = new LinkedHashMap<>();
        point.put("aggregator", rule);
        point.put("attack", attack);
        point.put("seed", seed);
        double last =
                0.9
                        - 0.31 * RULES.indexOf(rule)
                        - 0.113 * ATTACKS.indexOf(attack)
                        - 0.017 * SEEDS.indexOf(seed);
        return new CellResult(
                rule + attack + seed,
                point,
                point,
                null,
                "accuracy",
                List.of(
                        new CellResult.Point(10, 1, 1, last + 0.05, null),
                        new CellResult.Point(20, 1, 1, last, null)),
                "00".repeat(32),
                1);
    }

    private void write(boolean best) throws IOException {
        LinkedHashMap<String, List<String>> axes = new LinkedHashMap<>();
        axes.put("aggregator", RULES);
        axes.put("attack", ATTACKS);
        axes.put("seed", SEEDS);
        List<CellResult> cells = new ArrayList<>();
        RULES.forEach(
                rule ->
                        ATTACKS.forEach(
                                attack ->
                                        SEEDS.forEach(
                                                seed -> cells.add(cell(rule, attack, seed)))));
        StudyReport.write(
                new CellFiles(folder.toUri().toString()),
                new StudyResults(axes, best, cells),
                Provenance.submitted(Clock.systemUTC(), null).finishedNow(Clock.systemUTC()),
                axes,
                cell -> "./levee train");
    }

    /** Mean over the seeds of a column of the table, for a rule under an attack. */
    private double mean(String rule, String attack, String column) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("cells.csv"));
        List<String> head = List.of(lines.get(0).split(","));
        return lines.stream()
                .skip(1)
                .map(line -> List.of(line.split(",")))
                .filter(line -> line.get(head.indexOf("aggregator")).equals(rule))
                .filter(line -> line.get(head.indexOf("attack")).equals(attack))
                .mapToDouble(line -> Double.parseDouble(line.get(head.indexOf(column))))
                .average()
                .orElseThrow();
    }

    /** The rows of the page's first heat map: numbers by the rule. */
    private Map<String, List<String>> map() throws IOException {
        String page = Files.readString(folder.resolve("report.html"));
        String map = MAP.matcher(page).results().map(MatchResult::group).findFirst().orElseThrow();
        return ROW.matcher(map)
                .results()
                .map(row -> row.group(1))
                .collect(
                        Collectors.toMap(
                                row -> row.substring(0, row.indexOf("</th>")),
                                row ->
                                        CELL.matcher(row)
                                                .results()
                                                .map(cell -> cell.group(1))
                                                .toList()));
    }

    private void compare(String column) throws IOException {
        Map<String, List<String>> map = map();
        assertThat(map).containsOnlyKeys(RULES);
        for (String rule : RULES) {
            List<Double> means = new ArrayList<>();
            for (String attack : ATTACKS) {
                means.add(mean(rule, attack, column));
            }
            double worst = means.stream().min(Double::compare).orElseThrow();
            assertThat(map.get(rule))
                    .isEqualTo(
                            Stream.concat(Stream.of(worst), means.stream())
                                    .map(mean -> String.format(Locale.ROOT, "%.1f %%", 100 * mean))
                                    .toList());
        }
    }

    @Test
    void numbersInTheHeatMapAreMeansOfTheTable() throws IOException {
        write(false);
        compare("final");
        write(true);
        compare("best");
    }
}
