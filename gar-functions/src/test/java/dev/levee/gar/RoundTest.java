package dev.levee.gar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.rules.Monna;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What is known about a round's rows, and which rules take it. */
class RoundTest {
    private static final Round ROUND = new Round(3, 1, 4, 7);

    private static final float[][] ROWS = {{1}, {2}, {9}};

    @Test
    void rowsAreNumberedUnlessTheirSendersAreKnown() {
        assertThat(ROUND.sender(2)).isEqualTo("w2");
        assertThat(ROUND.row("w2")).isEqualTo(2);
        assertThat(ROUND.row("w3")).isEqualTo(-1);
        Round late = ROUND.withWorkers(new int[] {1, 4, 5});
        assertThat(late.sender(0)).isEqualTo("w1");
        assertThat(late.row("w5")).isEqualTo(2);
        assertThat(late.row("w0")).isEqualTo(-1);
    }

    @Test
    void whatIsKnownStays() {
        Round round =
                ROUND.withIds(List.of("a", "b", "c"))
                        .withWeights(new double[] {1, 2, 3})
                        .withAges(new int[] {0, 1, 2})
                        .withScores(new double[] {5, 6, 7});
        assertThat(round.row("c")).isEqualTo(2);
        assertThat(round.weights()).containsExactly(1, 2, 3);
        assertThat(round.ages()).containsExactly(0, 1, 2);
        assertThat(round.scores()).containsExactly(5, 6, 7);
        assertThat(round.number()).isEqualTo(4);
    }

    @Test
    void whatIsGivenIsGivenForEachRow() {
        assertThatThrownBy(() -> ROUND.withWeights(new double[] {1, 2}))
                .hasMessage("a round of 3 rows needs as many weights, or none, got 2");
        assertThatThrownBy(() -> ROUND.withWeights(new double[] {1, 0, 2}))
                .hasMessage("a row's weight must be a number above 0, row 1 has 0.0");
        assertThatThrownBy(() -> ROUND.withAges(new int[] {1, 0, -2}))
                .hasMessage("a row's age must be 0 or more, row 2 has -2");
        assertThatThrownBy(() -> ROUND.withIds(List.of("a", "b", "a")))
                .hasMessage("two rows of a round have the same id: [a, b, a]");
    }

    @Test
    void weightsCountInMeans() {
        double[] weights = {1e308, 1e308, 2e307};
        Aggregator average = new Aggregator(Rules.parse("average"), 1, 1);
        assertThat(average.aggregate(ROWS, r -> r.withWeights(weights))[0])
                .isEqualTo((float) (24 / 11.0));
        Aggregator mixed = new Aggregator(Rules.parse("bucketing(2) | average"), 0, 1);
        assertThat(mixed.aggregate(ROWS, r -> r.withWeights(weights))[0])
                .isEqualTo((float) (24 / 11.0));
    }

    @Test
    void equalWeightsChangeNoBit() {
        float[][] rows = Samples.normal(new Random(3), 25, 100);
        double[] weights = new double[25];
        Arrays.fill(weights, 0.3);
        for (String name : Rules.names()) {
            Rule rule =
                    Rules.parse("clip(9) | nnm | " + (name.startsWith("zeno") ? "average" : name));
            if (rule.takesWeights()) {
                assertThat(new Aggregator(rule, 3, 1).aggregate(rows, r -> r.withWeights(weights)))
                        .as(name)
                        .containsExactly(new Aggregator(rule, 3, 1).aggregate(rows));
            }
        }
    }

    @Test
    void weightsAreRefusedWhereTheyMeanNothing() {
        Aggregator median = new Aggregator(Rules.parse("median"), 1, 1);
        assertThatThrownBy(() -> median.aggregate(ROWS, r -> r.withWeights(new double[] {1, 2, 3})))
                .hasMessage("median takes no weights, but its rows have weights");
    }

    /** If worker 0 is late, nobody else is trusted in its place. */
    @Test
    void aRoundWithoutTheTrustedWorkerIsRefused() {
        Rule rule = new Monna("w1");
        Aggregator monna = new Aggregator(rule, 1, 1);
        assertThat(monna.aggregate(ROWS, r -> r.withWorkers(new int[] {0, 2, 1})))
                .containsExactly(5.5f);
        assertThatThrownBy(() -> monna.aggregate(ROWS, r -> r.withWorkers(new int[] {0, 2, 3})))
                .hasMessage(
                        "monna(trusted=w1) trusts w1, which is not among the 3 rows of round 1");
        assertThatThrownBy(() -> Rules.parse("bucketing(2) | monna"))
                .hasMessage(
                        "monna trusts w0, but bucketing(2) mixes its row with others and "
                                + "cannot precede it");
    }
}
