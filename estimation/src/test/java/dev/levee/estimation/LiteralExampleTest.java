package dev.levee.estimation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.estimation.fitting.CrossFitting;
import dev.levee.estimation.fitting.DoubleMl;
import dev.levee.estimation.fitting.RepetitionEstimator;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Worked by hand. */
class LiteralExampleTest {
    /** Of doubles that are a few operations old. */
    private static final double ROUNDING = 1e-14;

    private static EffectData data(double[] y, double[] d) {
        return new EffectData(
                new EffectData.Column("y", y),
                List.of(new EffectData.Column("d", d)),
                List.of(),
                List.of(new EffectData.Column("x", new double[y.length])),
                List.of(),
                List.of());
    }

    @Test
    void fourObservationsWithoutNuisances() {
        EffectData data = data(new double[] {1, 3, 2, 5}, new double[] {0, 1, 0, 2});
        Specification specification = DoubleMl.plr(data).folds(2).specification();
        CrossFitting fitting = new CrossFitting(data, specification, FitTask.Size.REPETITION);
        TreatmentEstimate estimate =
                new RepetitionEstimator(data, specification, fitting)
                        .estimate(0, new double[][] {new double[8]}, TaskTimes.NONE)
                        .treatments()[0];
        // ΣDY/ΣD² = 13/5; ψ = (0, 0.4, 0, −0.4); J = −5/4; σ² = 0.08/1.5625.
        assertThat(estimate.theta()).isCloseTo(2.6, within(ROUNDING));
        assertThat(estimate.standardError())
                .isCloseTo(Math.sqrt(0.0512 / 4), within(ROUNDING))
                .isCloseTo(0.11314, within(5e-6));
    }

    @Test
    void theMedianOfRepetitionsAndItsStandardError() {
        // Off by (−1, 0, 2) with standard errors (2, 1, 1): squares 5, 1, 5.
        assertThat(Aggregation.standardError(3, new double[] {2, 3, 5}, new double[] {2, 1, 1}))
                .isCloseTo(Math.sqrt(5), within(ROUNDING));
        assertThat(Quantiles.median(new double[] {4, 1, 3, 2})).isEqualTo(2.5);
    }

    @Test
    void theNormalDistributionOfTheTables() {
        assertThat(Quantiles.normal(0.975)).isCloseTo(1.959963984540054, within(1e-14));
        assertThat(Quantiles.normal(0.05)).isCloseTo(-1.6448536269514729, within(1e-14));
        assertThat(Quantiles.normalTail(0)).isEqualTo(0.5);
        assertThat(Quantiles.normalTail(1)).isCloseTo(0.15865525393145707, within(1e-16));
        // Far out it is the relative error that counts; R: pnorm(-10).
        assertThat(Quantiles.normalTail(10) / 7.619853024160527e-24).isCloseTo(1, within(1e-13));
        assertThat(Quantiles.normalTail(-1)).isCloseTo(0.8413447460685429, within(1e-15));
    }

    @Test
    void anOutcomeWithoutResidualsHasNoSensitivity() {
        double[] d = {0, 1, 0, 1, 0, 1, 0, 1};
        double[] y = {0, 3, 0, 3, 0, 3, 0, 3};
        Effect effect = DoubleMl.irm(data(y, d)).folds(2).estimate().effects().get(0);
        assertThat(effect.coefficient()).isEqualTo(3);
        assertThat(effect.sensitivity()).isNull();
    }
}
