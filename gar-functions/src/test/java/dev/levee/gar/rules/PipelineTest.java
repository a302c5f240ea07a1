package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.PreAggregation;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Rules;
import dev.levee.gar.Step;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Pipelines around rules that do everything the contract allows. */
class PipelineTest {
    /** The mean of neighbouring rows: halves the rows and needs no look. */
    private record Halve() implements PreAggregation {
        @Override
        public String name() {
            return "halve";
        }

        @Override
        public Look look() {
            return Look.NOTHING;
        }

        @Override
        public RowMap map(LookResult looked, Round round) {
            double[][] weights = new double[round.rows() / 2][round.rows()];
            for (int o = 0; o < weights.length; o++) {
                weights[o][2 * o] = 0.5;
                weights[o][2 * o + 1] = 0.5;
            }
            return new RowMap(weights);
        }

        @Override
        public int outputs(int rows) {
            return rows / 2;
        }
    }

    /**
     * Looks at the norms, doubles the rows, looks at the doubled rows' distances to the median, and
     * returns the row nearest to it plus the previous aggregate.
     */
    private record TwoLooks() implements Rule {
        @Override
        public String name() {
            return "two-looks";
        }

        @Override
        public int minimumRows(int f) {
            return 2;
        }

        @Override
        public String limit() {
            return "n ≥ 2";
        }

        @Override
        public Look look() {
            return Look.NORMS;
        }

        @Override
        public boolean needsPrevious() {
            return true;
        }

        @Override
        public Step decide(
                int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
            int n = round.rows();
            if (phase == 0) {
                RowMap twice = RowMap.identity(n, n);
                for (int i = 0; i < n; i++) {
                    assertThat(looked.squaredDistance(i, n)).isPositive();
                    twice.weights()[i][i] = 2;
                }
                List<Reference> references = List.of(Reference.MEDIAN, Reference.PREVIOUS);
                return new Step.LookAgain(twice, new Look(false, true, false, references));
            }
            assertThat(phase).isEqualTo(1);
            assertThat(mixed.outputs()).isEqualTo(n);
            int best = 0;
            for (int i = 1; i < n; i++) {
                if (looked.squaredDistance(i, n) < looked.squaredDistance(best, n)) {
                    best = i;
                }
            }
            double[][] weights = new double[1][n + 2];
            weights[0][best] = 1;
            weights[0][n + 1] = 1;
            return new Step.Reduce(
                    new RowMap(weights).after(mixed), new Reduction.Mean(), RuleState.NONE);
        }
    }

    /** Rows 1, 4, 6 doubled: 2, 8, 12; nearest to their median 8; next round 2·5 + 8. */
    @Test
    void rulesMayLookTwiceAndKeepThePreviousAggregate() {
        Aggregator aggregator = new Aggregator(new TwoLooks(), 0, 1);
        assertThat(aggregator.aggregate(new float[][] {{1}, {4}, {6}})).containsExactly(8);
        assertThat(aggregator.aggregate(new float[][] {{5}, {1}, {9}})).containsExactly(18);
    }

    /** Means of neighbours 1, 4, 6, clipped to 5: 1, 4, 5; doubled 2, 8, 10. */
    @Test
    void pipelinesRunEveryStage() {
        Rule pipeline = new Pipeline(List.of(new Halve(), new Clip(5)), new TwoLooks());
        assertThat(pipeline.needsPrevious()).isTrue();
        assertThat(pipeline.remembers()).isFalse();
        assertThat(Rules.parse("clip(5) | clipped-clustering").remembers()).isTrue();
        assertThat(pipeline.look()).isEqualTo(Look.NOTHING);
        Aggregator aggregator = new Aggregator(pipeline, 0, 1);
        float[][] rows = {{0}, {2}, {3}, {5}, {6}, {6}};
        assertThat(aggregator.aggregate(rows)).containsExactly(8);
        assertThat(aggregator.aggregate(rows)).containsExactly(16);
    }

    /** An engine may hand in the identity with columns for the look's references. */
    @Test
    void columnsOfReferencesAreLeftOut() {
        Step step =
                Rules.parse("clip(5) | krum")
                        .decide(
                                0,
                                RowMap.identity(3, 4),
                                new LookResult(
                                        4, new double[] {0, 0, 100, 0, 4, 25}, new double[0]),
                                new Round(3, 0, 0, 1),
                                RuleState.NONE);
        Step.LookAgain again = (Step.LookAgain) step;
        assertThat(again.look()).isEqualTo(Look.DISTANCES);
        assertThat(again.map().weights())
                .isDeepEqualTo(new double[][] {{0.5, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    }

    @Test
    void limitsCountTheRowsThatAreLeft() {
        Rule pipeline = new Pipeline(List.of(new Halve()), new Median(false));
        assertThat(pipeline.minimumRows(1)).isEqualTo(6);
        assertThat(pipeline.limit()).isEqualTo("n ≥ 2f + 1 after halve");
        assertThat(Rules.parse("clip(1) | krum").limit()).isEqualTo("n ≥ 2f + 3");
        // The average takes any number of rows.
        assertThat(Rules.parse("arc | bucketing(4) | average").limit()).isEqualTo("n ≥ 2f + 1");
    }

    /** Of 8 rows, bucketing leaves 4; krum needs 5. */
    @Test
    void theLimitSaysAfterWhichStepItApplies() {
        assertThatThrownBy(() -> Rules.parse("cap-weights(2) | bucketing(2) | krum").check(8, 1))
                .hasMessage(
                        "cap-weights(2) | bucketing(2) | krum needs n ≥ 2f + 3 after bucketing(2):"
                                + " with f = 1 that is 9 rows, got 8");
    }

    /** A node that aggregates for itself trusts its own row, whatever comes before the rule. */
    @Test
    void theRuleIsThatOfTheNodeBehindAnyStep() {
        Rule pipeline = Rules.parse("nnm | monna").as("w12");
        assertThat(pipeline.trusted()).containsExactly("w12");
        assertThat(pipeline.name()).isEqualTo("nnm | monna(trusted=w12)");
        assertThat(Rules.parse("clip(2) | clipped-gossip").gossips()).isTrue();
        assertThat(Rules.parse("clip(2) | krum").gossips()).isFalse();
    }

    /** Several stages without a look in a row are decided at once. */
    @Test
    void stagesWithoutALookCostNoPhase() {
        Rule pipeline = new Pipeline(List.of(new Halve(), new Halve()), new Average());
        float[][] rows = {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};
        Step step =
                pipeline.decide(
                        0,
                        RowMap.identity(8, 8),
                        new LookResult(8, new double[0], new double[0]),
                        new Round(8, 0, 0, 1),
                        RuleState.NONE);
        assertThat(step).isInstanceOf(Step.Reduce.class);
        assertThat(Rules.aggregate(pipeline, rows, 0, 1)).containsExactly(4.5f);
    }
}
