package dev.levee.estimation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

/**
 * Closed-form learners on given folds against numpy 1.24. Its script draws the columns of {@link
 * Samples#reference} with the same congruential generator, fits ordinary least squares by {@code
 * numpy.linalg.lstsq} on standardized columns and logistic regression by Newton's method with
 * {@code numpy.linalg.solve} on each fold's complement, and forms scores, θ and standard errors as
 * written in the paper, one line each. Both sides round differently: 1e-10 relative is far above
 * that.
 */
class ReferenceTest {
    private static final double TOLERANCE = 1e-10;

    private final Samples.Reference columns = Samples.reference();

    private static void check(DoubleMl settings, double theta, double standardError) {
        Effect effect = settings.folds(4).estimate().effects().get(0);
        assertThat(effect.coefficient()).isCloseTo(theta, within(TOLERANCE));
        assertThat(effect.standardError()).isCloseTo(standardError, within(TOLERANCE));
    }

    @Test
    void partiallingOutByBothProcedures() {
        EffectData data = columns.data(columns.d(), null);
        check(DoubleMl.plr(data), 0.8503781361894992, 0.07820914468577905);
        check(
                DoubleMl.plr(data).procedure(Procedure.DML1),
                0.8661352299066452,
                0.07818833827840403);
    }

    @Test
    void theInstrumentalVariableType() {
        check(
                DoubleMl.plr(columns.data(columns.d(), null)).score(Score.IV_TYPE),
                0.8503781361894991,
                0.07953057662545389);
    }

    @Test
    void anInstrument() {
        check(
                DoubleMl.pliv(columns.data(columns.d(), columns.z())),
                1.1159237199621168,
                0.16396425867160583);
    }

    @Test
    void theInteractiveModelOfAllAndOfTheTreated() {
        EffectData data = columns.data(columns.b(), null);
        check(
                DoubleMl.irm(data).learner(Nuisance.M, "logistic"),
                1.2195262131200892,
                0.09426099351124859);
        check(
                DoubleMl.irm(data).score(Score.ATT).learner(Nuisance.M, "logistic"),
                1.2094731377987764,
                0.09503391123985974);
    }

    @Test
    void theEffectOnCompliers() {
        check(
                DoubleMl.iivm(columns.data(columns.b(), columns.z()))
                        .learner(Nuisance.M, "logistic"),
                2.3149762051929073,
                0.40180414245828283);
    }

    @Test
    void clustersOfOneWay() {
        int[] folds = new int[columns.c1().length];
        Arrays.setAll(folds, i -> columns.c1()[i] % 4);
        EffectData data =
                new EffectData(
                        new EffectData.Column("y", columns.y()),
                        List.of(new EffectData.Column("d", columns.d())),
                        null,
                        columns.covariates(),
                        List.of(new EffectData.Codes("c", columns.c1())),
                        folds);
        check(DoubleMl.plr(data), 0.8706176053323862, 0.05954093360613351);
    }

    @Test
    void boundsAndRobustnessToAnOmittedVariable() {
        Sensitivity sensitivity =
                DoubleMl.plr(columns.data(columns.d(), null))
                        .folds(4)
                        .estimate()
                        .effects()
                        .get(0)
                        .sensitivity();
        assertThat(sensitivity.lower()).isCloseTo(0.8145392482794231, within(TOLERANCE));
        assertThat(sensitivity.upper()).isCloseTo(0.8862170240995753, within(TOLERANCE));
        assertThat(sensitivity.lowerLimit()).isCloseTo(0.6857645186719326, within(TOLERANCE));
        assertThat(sensitivity.upperLimit()).isCloseTo(1.0147908492135282, within(TOLERANCE));
        // Where r²/(1 − r) = (θ/S)².
        assertThat(sensitivity.robustness()).isCloseTo(0.5073149343970946, within(TOLERANCE));
        assertThat(sensitivity.robustnessWithConfidence())
                .isLessThan(sensitivity.robustness())
                .isPositive();
    }
}
