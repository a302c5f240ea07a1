package dev.levee.jobs.internal.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.Tracking;
import dev.levee.jobs.internal.report.study.CellFiles;
import dev.levee.jobs.internal.report.study.CellResult;
import dev.levee.jobs.internal.run.LeftFolder;
import dev.levee.jobs.internal.run.RunRecords;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.operators.tasks.TaskRunner;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Files of studies, and which cells they have. */
class StudyTest {
    private static final String SMALL =
            """
            dataset: strokes:?train=60&test=20
            model: logistic
            aggregator: median
            rounds: 2
            """;

    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource({"study-mnist.yaml, 288", "study-small.yaml, 192"})
    void examplesAreGrids(String file, int cells) throws IOException {
        Path example = LeveeHome.find().directory().resolve("examples").resolve(file);
        String grid = Files.readString(example);
        assertThat(Study.read(grid, example).cells().stream().map(Cell::id).distinct())
                .hasSize(cells);
        assertThat(grid).contains("validation=0.2");
    }

    private Study study(String yaml) {
        return Study.read(yaml, directory.resolve("grid.yaml"));
    }

    private List<Cell> cells(String yaml) {
        return study(yaml).cells();
    }

    @Test
    void aVariantSetsSeveralOptions() {
        List<Cell> cells =
                cells(
                        """
                        aggregator: [median, krum]
                        variants:
                          one: {}
                          three: {servers: 3, byzantine: 1}
                        honest: 8
                        """);
        assertThat(cells.stream().map(Cell::shellCommand))
                .containsExactly(
                        "./levee train --aggregator median --workers 11",
                        "./levee train --aggregator krum --workers 11",
                        "./levee train --aggregator median --servers 3 --byzantine 1 --workers 9",
                        "./levee train --aggregator krum --servers 3 --byzantine 1 --workers 9");
        assertThat(cells.get(3).point())
                .containsEntry("variant", "three")
                .containsEntry("aggregator", "krum")
                .containsEntry("attack", "random");
    }

    @ParameterizedTest
    @ValueSource(strings = {"train", "federate"})
    void cellsWithoutFaultsHaveNoAttackers(String command) {
        String grid = "command: %s\nbyzantine: [0, 1]\nattack: [sign-flip]\n".formatted(command);
        assertThat(cells(grid).stream().map(Cell::shellCommand))
                .anyMatch(cell -> cell.contains("--attackers 0"))
                .allMatch(cell -> cell.contains("--attackers") == cell.contains("--byzantine 0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"workers: [11, 30]", "variants: {small: {}, big: {workers: 30}}"})
    void aStudyCountsHonestWorkersOrAllOfThem(String yaml) {
        for (String total : List.of("workers", "nodes")) {
            assertThatThrownBy(() -> cells("honest: 10\n" + yaml.replace("workers", total)))
                    .hasMessage(
                            "%s gives honest and %s; give one of them",
                            directory.resolve("grid.yaml"), total);
        }
    }

    @Test
    void aCellOfDevicesHasOneSamplingAndTheRuleOfItsAlgorithm() {
        List<Cell> cells =
                cells("command: federate\nalgorithm: [fedavg, slsgd]\nserver-rate: 0.5\n");
        assertThat(cells.stream().map(Cell::shellCommand))
                .containsExactly(
                        "./levee federate --algorithm fedavg --server-rate 0.5 --sampling balanced",
                        "./levee federate --algorithm slsgd --server-rate 0.5 --sampling balanced");
        assertThat(cells.stream().map(cell -> cell.point().get("aggregator")))
                .containsExactly("average", "trimmed-mean");
        assertThat(cells.get(0).point()).containsEntry("attack", "none");
    }

    @Test
    void optionsThatContradictAreForTheCellToSay() {
        List<Cell> cells = cells("command: federate\nlocal-steps: 2\nlocal-epochs: [1, 2]\n");
        assertThat(cells.stream().map(Cell::id).distinct()).hasSize(2);
    }

    private CellFiles files() {
        return new CellFiles(directory.toUri().toString());
    }

    @Test
    void cellsWithEqualOptionsAreTrainedOnce() throws IOException {
        String twice = SMALL + "variants: {a: {}, b: {seed: 1}}\nlearning-rate: [0.1, 0.2]\n";
        StudyPlan plan = StudyPlan.of(study(twice));
        assertThat(plan.cells()).hasSize(4);
        assertThat(plan.pending(files())).hasSize(2);
        assertThat(plan.notEnded(files())).hasSize(2);
        assertThatThrownBy(() -> StudyPlan.of(study(twice + "byzantine: 11\n")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aResultThatIsCutOffIsComputedAgain() throws IOException {
        Cell cell = cells(SMALL).get(0);
        new RunFiles(directory.toUri() + "/cells").writeText(cell.id() + ".json", "{\"id\":");
        CellTasks tasks =
                new CellTasks(new ArrayList<>(List.of(cell)), directory.toUri().toString());
        try (TaskRunner<Integer> runner = tasks.open()) {
            runner.run(0);
        }
        assertThat(files().read(cell.id())).get().matches(CellResult::complete);
    }

    /** A pipe has its text once. */
    @Test
    void theFileOfAStudyIsReadOnce() throws Exception {
        Path grid = Files.writeString(directory.resolve("grid.yaml"), SMALL);
        String output = directory.resolve("out").toString();
        Deployment deployment =
                Deployment.STUDY.read(
                        Map.of("output", new GivenSetting(List.of(output), "--output")));
        CellFiles files = new CellFiles(OutputLayout.absolute(output));
        files.write(CellRun.of(cells(SMALL).get(0)));
        StudyRun run = StudyRun.of(grid, deployment, false, false, List.of());
        Files.delete(grid);
        run.run(new Terminal(new CommandLine(CommandSpec.create())), false);
        assertThat(files.grid()).isEqualTo(SMALL);
    }

    /** The data may be elsewhere when the user returns. */
    @Test
    void aSubmittedStudyOpensNoData() throws IOException {
        String grid =
                "dataset: csv:absent.csv\nmodel: logistic\naggregator: median\nseed: [1, 2]\n";
        List<Cell> cells = cells(grid);
        files().writeGrid(grid, Map.of(cells.get(0).id(), "is wrong"));
        LeftFolder folder =
                new LeftFolder(
                        directory.toUri().toString(), RunRecords.unreachable(null, Tracking.NONE));
        SubmittedStudy study = SubmittedStudy.left(folder, null);
        assertThat(study.done()).isFalse();
        assertThat(study.plan().notEnded(files())).containsExactly(cells.get(1));
    }
}
