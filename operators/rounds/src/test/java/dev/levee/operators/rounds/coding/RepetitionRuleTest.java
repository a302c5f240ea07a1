package dev.levee.operators.rounds.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Rule;
import dev.levee.operators.rounds.fault.RunFailedException;

import org.junit.jupiter.api.Test;

class RepetitionRuleTest {
    private static final GradientCode CODE = new Fractional(6, 2);
    private static final float[] A = {1, 2.5f, -0.3f};
    private static final float[] B = {0.1f, 7, 1e-30f};

    private static float[] aggregate(int f, float[]... rows) {
        return new Aggregator(Coding.rule(CODE, f), f, 1).aggregate(rows);
    }

    @Test
    void oneLiarOfThreeCopiesChangesNoBit() {
        float[] honest = aggregate(1, A, B, A, B, A, B);
        assertThat(honest).containsExactly(0.55f, 4.75f, -0.15f);
        float[] barely = B.clone();
        barely[2] = Math.nextUp(barely[2]);
        assertThat(aggregate(1, A, barely, A, B, A, B)).isEqualTo(honest);
        float[] huge = {Float.MAX_VALUE, Float.NaN, -1};
        assertThat(aggregate(1, huge, B, A, B, A, B)).isEqualTo(honest);
    }

    @Test
    void withoutMajorityTheRunFails() {
        assertThatThrownBy(() -> aggregate(1, A, B, B, A, new float[] {0, 0, 0}, B))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("no 2 equal copies of a part of fractional(2)");
    }

    @Test
    void needsTwoMoreAnswersForEachLiar() {
        Rule rule = Coding.rule(CODE, 1);
        assertThat(rule.minimumRows(0)).isEqualTo(4);
        assertThat(rule.minimumRows(1)).isEqualTo(6);
        assertThat(rule.minimumRows(2)).isEqualTo(Integer.MAX_VALUE);
    }
}
