package dev.levee.jobs.internal.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files of studies, and which cells they have. */
class StudyTest {
    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource({"study-mnist.yaml, 288", "study-small.yaml, 192"})
    void examplesAreGrids(String file, int cells) throws IOException {
        Path example = LeveeHome.find().directory().resolve("examples").resolve(file);
        assertThat(Study.read(example).cells().stream().map(Cell::id).distinct()).hasSize(cells);
        assertThat(Files.readString(example)).contains("validation=0.2");
    }

    private List<Cell> cells(String yaml) throws IOException {
        return Study.read(Files.writeString(directory.resolve("grid.yaml"), yaml)).cells();
    }

    @Test
    void aVariantSetsSeveralOptions() throws IOException {
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
    void cellsWithoutFaultsHaveNoAttackers(String command) throws IOException {
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
    void aCellOfDevicesHasOneSamplingAndTheRuleOfItsAlgorithm() throws IOException {
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
    void optionsThatContradictAreForTheCellToSay() throws IOException {
        List<Cell> cells = cells("command: federate\nlocal-steps: 2\nlocal-epochs: [1, 2]\n");
        assertThat(cells.stream().map(Cell::id).distinct()).hasSize(2);
    }
}
