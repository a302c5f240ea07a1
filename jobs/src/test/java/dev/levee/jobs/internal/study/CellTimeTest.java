package dev.levee.jobs.internal.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;

/** What the time of cells is made of. */
class CellTimeTest {
    private List<Cell> cells(String more) {
        String yaml =
                """
                dataset: strokes:?train=60&test=20
                model: logistic
                workers: 5
                rounds: 50
                eval-interval: 20
                %s
                """;
        return Study.read(yaml.formatted(more), Path.of("grid.yaml")).cells();
    }

    /** Attackers that forge do not compute, those that flip labels or their own gradient do. */
    @ParameterizedTest
    @CsvSource({
        "none, 5",
        "sign-flip(mean), 4",
        "optimal-little-is-enough, 4",
        "sign-flip, 5",
        "label-flip, 5"
    })
    void aCellTakesItsRoundsAndEvaluations(String attack, int atWork) {
        Cell cell = cells("byzantine: 1\naggregator: median\nattack: " + attack).get(0);
        // Evaluated before round 0, after 20 and 40 rounds, and at the end.
        assertThat(new CellSpeed(3, 0.1, 0.2, 0.5).cell(cell.training()))
                .isCloseTo(3 + 50 * (atWork * 0.1 + 0.2) + 4 * 0.5, within(1e-9));
    }

    @Test
    void aSlotTakesTheNextCellWhenItIsFree() {
        assertThat(CellTime.together(List.of(4.0, 1.0, 2.0, 3.0), 2)).isEqualTo(6);
        assertThat(CellTime.together(List.of(4.0, 1.0, 2.0, 3.0), 1)).isEqualTo(10);
        assertThat(CellTime.together(List.of(4.0), 2)).isEqualTo(4);
    }

    @Tag("long")
    @Test
    void kindsDifferInWhatCosts() throws Exception {
        List<Cell> cells =
                cells(
                        """
                        byzantine: [0, 1]
                        aggregator: [median, krum]
                        attack: none
                        seed: [1, 2]
                        learning-rate: [0.1, 0.2]
                        """);
        CellTime time = new CellTime(cells, 2);
        assertThat(time.basis())
                .startsWith(
                        "Based on the first rounds of 4 of 4 kinds of cells on this machine, 2 at a"
                                + " time:")
                .contains("s a round")
                .contains("an evaluation: byzantine 1, aggregator krum")
                .doesNotContain("seed");
        assertThat(time.seconds(cells, 1)).isGreaterThan(time.seconds(cells.subList(0, 8), 1));
    }
}
