package dev.levee.operators.rounds.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

class AggregationPlanTest {
    private static double[] ones(int count) {
        double[] seconds = new double[count];
        Arrays.fill(seconds, 1);
        return seconds;
    }

    @Test
    void twoAggregatorsEndSixUpdatesInFourSeconds() {
        // Two directly until 2; two aggregators have two each then, and send sums until 4.
        AggregationPlan plan = AggregationPlan.of(ones(6), 0, 2, 1);
        assertThat(plan)
                .isEqualTo(new AggregationPlan(2, List.of(List.of(2, 4), List.of(3, 5)), 4));
        assertThat(AggregationPlan.of(ones(6), 0, 0, 1).seconds()).isEqualTo(6);
    }

    @Test
    void whileTheServersLinkIsBusyAllAreAddedUp() {
        AggregationPlan plan = AggregationPlan.of(ones(4), 2, 2, 1);
        assertThat(plan)
                .isEqualTo(new AggregationPlan(0, List.of(List.of(0, 2), List.of(1, 3)), 4));
    }

    @Test
    void aFewGoDirectly() {
        assertThat(AggregationPlan.of(ones(2), 0, 3, 1).direct()).isEqualTo(2);
        assertThat(AggregationPlan.of(new double[0], 5, 3, 1).seconds()).isEqualTo(5);
    }
}
