package dev.levee.estimation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.estimation.fitting.DoubleMl;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Closed-form learners on given folds against NumPy 1.24: {@code src/test/resources/reference.py}
 * prints these figures. Both sides round differently: 1e-10 is far above that.
 */
class ReferenceTest {
    private static final double TOLERANCE = 1e-10;

    private final Samples.Reference columns = Samples.reference();

    private static void check(DoubleMl settings, double theta, double standardError) {
        check(settings.folds(4).estimate().effects().get(0), theta, standardError);
    }

    private static void check(Effect effect, double theta, double standardError) {
        assertThat(effect.coefficient()).isCloseTo(theta, within(TOLERANCE));
        assertThat(effect.standardError()).isCloseTo(standardError, within(TOLERANCE));
    }

    private static void checkBounds(
            DoubleMl settings,
            double lower,
            double upper,
            double lowerLimit,
            double upperLimit,
            double robustness) {
        Sensitivity told = settings.folds(4).estimate().effects().get(0).sensitivity();
        assertThat(told.lower()).isCloseTo(lower, within(TOLERANCE));
        assertThat(told.upper()).isCloseTo(upper, within(TOLERANCE));
        assertThat(told.lowerLimit()).isCloseTo(lowerLimit, within(TOLERANCE));
        assertThat(told.upperLimit()).isCloseTo(upperLimit, within(TOLERANCE));
        assertThat(told.robustness()).isCloseTo(robustness, within(TOLERANCE));
        assertThat(told.robustnessWithConfidence()).isLessThan(robustness).isPositive();
    }

    private DoubleMl plr() {
        return DoubleMl.plr(columns.data(columns.d(), null));
    }

    private DoubleMl irm() {
        return DoubleMl.irm(columns.data(columns.b(), null)).learner(Nuisance.M, "logistic");
    }

    private DoubleMl pliv(List<EffectData.Column> instruments) {
        return DoubleMl.pliv(
                columns.data(List.of(new EffectData.Column("d", columns.d())), instruments));
    }

    private DoubleMl iivm() {
        return DoubleMl.iivm(columns.data(columns.b(), columns.z()))
                .learner(Nuisance.M, "logistic");
    }

    private EffectData.Column z() {
        return new EffectData.Column("z", columns.z());
    }

    @Test
    void partiallingOutByBothProcedures() {
        check(plr(), 0.85037813618949931, 0.078209144685779053);
        check(plr().procedure(Procedure.DML1), 0.86613522990664493, 0.078188338278404018);
    }

    @Test
    void theInstrumentalVariableTypeByBothProcedures() {
        DoubleMl type = plr().score(Score.IV_TYPE);
        check(type, 0.85037813618949909, 0.07953057662545393);
        check(type.procedure(Procedure.DML1), 0.87203897339528968, 0.07959173517651344);
    }

    @Test
    void severalTreatmentsAreEachOthersCovariates() {
        List<Effect> effects =
                DoubleMl.plr(columns.data(columns.both(), List.of())).folds(4).estimate().effects();
        check(effects.get(0), 0.68600967128039203, 0.055175514870212841);
        check(effects.get(1), 1.04762484735532, 0.072014475826027352);
    }

    @Test
    void oneInstrument() {
        check(pliv(List.of(z())), 1.1159237199621168, 0.16396425867160583);
        check(
                pliv(List.of(z())).procedure(Procedure.DML1),
                1.1202646469827209,
                0.16402432544722068);
    }

    @Test
    void severalInstrumentsAreCombined() {
        EffectData.Column z2 = new EffectData.Column("z2", columns.z2());
        DoubleMl settings = pliv(List.of(z(), z2));
        check(settings, 1.0569699784185143, 0.15159421093853534);
        assertThat(settings.estimate().functions())
                .extracting(NuisanceFunction::label)
                .containsExactly("ml_l", "ml_m_z", "ml_m_z2", "ml_r");
    }

    @Test
    void anInstrumentOfOneOfTwoTreatments() {
        check(
                DoubleMl.pliv(columns.data(columns.both(), List.of(z()))),
                0.60376133604087401,
                0.12860811476135414);
    }

    @Test
    void theInteractiveModelOfAll() {
        check(irm(), 1.2195262131200892, 0.094260993511248586);
        check(irm().trimming(0.45), 1.2217659033498511, 0.093309165859453952);
        check(irm().procedure(Procedure.DML1), 1.2195262131200892, 0.094260993511248586);
    }

    @Test
    void theInteractiveModelOfTheTreated() {
        DoubleMl treated = irm().score(Score.ATT);
        check(treated, 1.2094731377987762, 0.095033911239859756);
        check(treated.procedure(Procedure.DML1), 1.2185496377060865, 0.095034872480807178);
    }

    @Test
    void theEffectOnCompliers() {
        check(iivm(), 2.3149762051929081, 0.401804142458283);
        check(iivm().procedure(Procedure.DML1), 2.4448803782072259, 0.41730565505600281);
    }

    private static int[] codes(int[] of, IntUnaryOperator code) {
        return Arrays.stream(of).map(code).toArray();
    }

    private void checkClusters(
            List<int[]> clusters, List<int[]> folds, int groups, double theta, double error) {
        DoubleMl settings = DoubleMl.plr(columns.clustered(clusters, folds)).folds(groups);
        check(settings.estimate().effects().get(0), theta, error);
    }

    @Test
    void clustersOfOneWay() {
        int[] c1 = columns.c1();
        checkClusters(
                List.of(c1),
                List.of(codes(c1, c -> c % 4)),
                4,
                0.87061760533238619,
                0.05954093360613355);
        checkClusters(
                List.of(c1),
                List.of(codes(c1, c -> c < 9 ? 0 : 1 + c % 3)),
                4,
                0.86589572210653065,
                0.059115080962510828);
    }

    @Test
    void clustersOfTwoWays() {
        int[] c1 = columns.c1();
        int[] c2 = columns.c2();
        checkClusters(
                List.of(c1, c2),
                List.of(codes(c1, c -> c % 2), codes(c2, c -> c % 2)),
                2,
                0.90893727844346683,
                0.15051212160662794);
        checkClusters(
                List.of(c1, c2),
                List.of(codes(c1, c -> c > 7 ? 1 : 0), codes(c2, c -> c > 4 ? 1 : 0)),
                2,
                0.85046033915013064,
                0.15585654117404779);
    }

    /** Robustness is where r²/(1 − r) = (θ/S)². */
    @Test
    void boundsAndRobustnessToAnOmittedVariable() {
        checkBounds(
                plr(),
                0.81453924827942326,
                0.88621702409957537,
                0.68576451867193267,
                1.0147908492135285,
                0.50731493439709463);
        checkBounds(
                plr().score(Score.IV_TYPE),
                0.81453924827942303,
                0.88621702409957515,
                0.68359148202242392,
                1.0169638842330613,
                0.50731493439709441);
        checkBounds(
                irm(),
                1.1760297733542342,
                1.2630226528859443,
                1.0214059860046856,
                1.4185433812017836,
                0.56395028452702833);
        checkBounds(
                irm().score(Score.ATT),
                1.1670057331001153,
                1.251940542497437,
                1.0111171367032372,
                1.4089254496647772,
                0.56931747868948468);
    }
}
