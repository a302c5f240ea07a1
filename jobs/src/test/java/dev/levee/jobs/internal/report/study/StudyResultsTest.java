package dev.levee.jobs.internal.report.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.jobs.internal.report.markup.LineChart;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

class StudyResultsTest {
    private static CellResult cell(String attack, String rate, String seed, double... accuracies) {
        LinkedHashMap<String, String> options = new LinkedHashMap<>();
        options.put("aggregator", "median");
        options.put("attack", attack);
        options.put("learning-rate", rate);
        options.put("seed", seed);
        List<CellResult.Point> points = new ArrayList<>();
        for (double each : accuracies) {
            points.add(new CellResult.Point(10L * points.size(), 1, 1, each, null));
        }
        String id = attack + rate + seed;
        return accuracies.length == 0
                ? CellResult.refused(id, options, options, "it failed")
                : new CellResult(
                        id, options, options, null, "accuracy", points, "00".repeat(32), 1);
    }

    private static StudyResults results(boolean best, CellResult... cells) {
        LinkedHashMap<String, List<String>> axes = new LinkedHashMap<>();
        axes.put("attack", List.of("none", "nan"));
        axes.put("learning-rate", List.of("0.1", "0.5"));
        axes.put("seed", List.of("1", "2"));
        return new StudyResults(axes, best, List.of(cells));
    }

    /** 0.5 is better without attack, 0.1 under the worst one; seeds are averaged before. */
    private static final CellResult[] CELLS = {
        cell("none", "0.1", "1", 0.1, 0.6, 0.5),
        cell("none", "0.1", "2", 0.1, 0.6, 0.7),
        cell("none", "0.5", "1", 0.1, 0.9, 0.9),
        cell("none", "0.5", "2", 0.1, 0.9, 0.9),
        cell("nan", "0.1", "1", 0.1, 0.5, 0.2),
        cell("nan", "0.1", "2", 0.1, 0.3, 0.4),
        cell("nan", "0.5", "1", 0.1, 0.2, 0.9),
        cell("nan", "0.5", "2", 0.1, 0.4, 0.0),
    };

    @Test
    void theRateWithTheBestWorstCaseIsChosen() {
        List<Choice> atEnd = results(false, CELLS).choices();
        // At the end, 0.1 has 0.6 and 0.3; 0.5 has 0.9 and 0.45.
        assertThat(atEnd).hasSize(1);
        assertThat(atEnd.get(0).tuned()).isEqualTo(Map.of("learning-rate", "0.5"));
        assertThat(atEnd.get(0).worst()).isEqualTo("nan");
        assertThat(atEnd.get(0).value()).isCloseTo(0.45, within(1e-12));
        // At the best evaluation of the mean, 0.1 has 0.6 and 0.4; 0.5 has 0.9 and 0.45.
        assertThat(results(true, CELLS).choices().get(0).value()).isCloseTo(0.45, within(1e-12));
    }

    /** 0.5 is better on the test set, 0.1 on the validation set: 0.6 against 0.3 at the best. */
    @Test
    void theValidationSetChoosesIfThereIsOne() {
        StudyResults results =
                results(
                        true,
                        validated(cell("none", "0.1", "1", 0.1, 0.6), 0.9, 0.8),
                        validated(cell("nan", "0.1", "1", 0.1, 0.4), 0.6, 0.2),
                        validated(cell("none", "0.5", "1", 0.1, 0.9), 0.7, 0.9),
                        validated(cell("nan", "0.5", "1", 0.1, 0.5), 0.2, 0.3));
        Choice choice = results.choices().get(0);
        assertThat(choice.tuned()).isEqualTo(Map.of("learning-rate", "0.1"));
        assertThat(choice.value()).isCloseTo(0.4, within(1e-12));
        assertThat(choice.criterion()).isCloseTo(0.6, within(1e-12));
        assertThat(StudyCsv.of(results, cell -> "again"))
                .contains("nan,0.1,1,nan0.11,complete,accuracy,0.4,10,0.4,1.0,0.6,true,");
    }

    private static CellResult validated(CellResult cell, double... validation) {
        List<CellResult.Point> points = new ArrayList<>();
        for (CellResult.Point each : cell.points()) {
            points.add(
                    new CellResult.Point(
                            each.rounds(), 1, 1, each.score(), validation[points.size()]));
        }
        return new CellResult(
                cell.id(),
                cell.point(),
                cell.options(),
                null,
                cell.score(),
                points,
                cell.model(),
                1);
    }

    @Test
    void aFailedCellIsWorseThanAnyOther() {
        CellResult[] cells = CELLS.clone();
        cells[7] = cell("nan", "0.5", "2");
        Choice choice = results(false, cells).choices().get(0);
        assertThat(choice.tuned()).isEqualTo(Map.of("learning-rate", "0.1"));
        assertThat(choice.value()).isCloseTo(0.3, within(1e-12));
        assertThat(results(false, cells).failures()).containsOnlyKeys("it failed");
        String csv = StudyCsv.of(results(false, cells), cell -> "./levee train, again");
        assertThat(csv.lines()).hasSize(9);
        assertThat(csv)
                .contains(
                        "nan,0.5,2,nan0.52,failed,loss,,,,,,false,,it failed,\"./levee train,"
                                + " again\"")
                .contains("none,0.1,1,none0.11,complete,accuracy,0.6,10,0.5,1.0,,true,");
    }

    /** Of two variants, one has cells under an attack and the other cells without. */
    @Test
    void aSettingIsJudgedUnderItsOwnAttacks() {
        StudyResults results =
                variants(
                        variant("clean", cell("none", "0.1", "1", 0.1, 0.6)),
                        variant("clean", cell("none", "0.5", "1", 0.1, 0.9)),
                        variant("attacked", cell("nan", "0.1", "1", 0.1, 0.5)),
                        variant("attacked", cell("nan", "0.5", "1", 0.1, 0.2)));
        assertThat(results.lines())
                .containsExactly(
                        List.of("aggregator", "variant", "learning-rate", "worst case", "under"),
                        List.of("median", "clean", "0.5", "90.0 %", "none"),
                        List.of("median", "attacked", "0.1", "50.0 %", "nan"));
        assertThat(
                        StudyCsv.of(results, cell -> "again")
                                .lines()
                                .filter(each -> each.contains("true")))
                .satisfiesExactly(
                        each -> assertThat(each).startsWith("clean,none,0.5,"),
                        each -> assertThat(each).startsWith("attacked,nan,0.1,"));
        assertThat(StudyLatex.of(results))
                .contains("median & clean & 90.0 & -- & \\textbf{90.0} \\\\")
                .contains("median & attacked & -- & 50.0 & \\textbf{50.0} \\\\");
        assertThat(new StudyMaps(results, results.choices(), "accuracy").html())
                .contains("title=\"no cell has this attack\">–</td>")
                .doesNotContain("failed");
    }

    /** One rate has no result under an attack that the setting has. */
    @Test
    void aRateWithoutAnyCellUnderAnAttackIsNotChosen() {
        StudyResults results =
                results(
                        true,
                        cell("none", "0.1", "1", 0.1, 0.9),
                        cell("none", "0.5", "1", 0.1, 0.6),
                        cell("nan", "0.5", "1", 0.1, 0.5));
        assertThat(results.choices().get(0).tuned()).isEqualTo(Map.of("learning-rate", "0.5"));
    }

    private static CellResult variant(String name, CellResult cell) {
        LinkedHashMap<String, String> point = new LinkedHashMap<>(Map.of("variant", name));
        point.putAll(cell.point());
        return cell.at(point);
    }

    private static StudyResults variants(CellResult... cells) {
        LinkedHashMap<String, List<String>> axes = new LinkedHashMap<>();
        axes.put("variant", List.of("clean", "attacked"));
        axes.put("attack", List.of("none", "nan"));
        axes.put("learning-rate", List.of("0.1", "0.5"));
        return new StudyResults(axes, true, List.of(cells));
    }

    @Test
    void bandsAreStudentsIntervalOfTheMean() {
        Curve curve = Curve.of(List.of(CELLS[4], CELLS[5]));
        assertThat(curve.mean()[1]).isCloseTo(0.4, within(1e-12));
        // t = 12.706 for one degree of freedom, s = 0.1414, n = 2.
        assertThat(curve.reach()[1]).isCloseTo(12.7062 * 0.1, within(1e-4));
        assertThat(curve.reach()[0]).isZero();
        String chart =
                LineChart.draw(
                        "accuracy",
                        List.of(
                                new LineChart.Series(
                                        "nan",
                                        "#000",
                                        curve.rounds(),
                                        curve.mean(),
                                        curve.reach())),
                        true);
        assertThat(chart).contains("<polygon").doesNotContain("NaN");
    }

    @Test
    void namesInTablesAreTextOfTheirFormat() {
        LinkedHashMap<String, String> options = new LinkedHashMap<>();
        options.put("aggregator", "clip(2) | nnm_50%");
        options.put("attack", "none");
        CellResult cell =
                new CellResult(
                        "a",
                        options,
                        options,
                        null,
                        "accuracy",
                        List.of(new CellResult.Point(1, 1, 1, 0.5, null)),
                        "00".repeat(32),
                        1);
        String latex = StudyLatex.of(new StudyResults(new LinkedHashMap<>(), true, List.of(cell)));
        assertThat(latex).contains("clip(2) \\textbar{} nnm\\_50\\% & 50.0 & \\textbf{50.0} \\\\");
    }
}
