package dev.levee.estimation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.estimation.fitting.DoubleMl;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

/** What is wrong is said before anything is fitted, in one sentence. */
class BadInputTest {
    private static final int SIZE = 40;

    private final double[] x = new double[SIZE];
    private final double[] d = new double[SIZE];
    private final double[] y = new double[SIZE];

    BadInputTest() {
        for (int i = 0; i < SIZE; i++) {
            x[i] = Math.sin(i);
            d[i] = i % 3 == 0 ? 1 : 0;
            y[i] = Math.cos(3 * i) + d[i];
        }
    }

    private EffectData data() {
        return data(List.of(), null);
    }

    private EffectData data(List<EffectData.Codes> clusters, int[] given) {
        return new EffectData(
                new EffectData.Column("income", y),
                List.of(new EffectData.Column("training", d)),
                List.of(),
                List.of(new EffectData.Column("age", x)),
                clusters,
                given == null ? List.of() : List.of(new EffectData.Codes("fold", given)));
    }

    private static void refused(ThrowingCallable what, String sentence) {
        assertThatThrownBy(what).isInstanceOf(IllegalArgumentException.class).hasMessage(sentence);
    }

    @Test
    void aConstantTreatment() {
        Arrays.fill(d, 1);
        refused(
                () -> DoubleMl.plr(data()).estimate(),
                "the treatment training is constant: all its values are 1, so it has no effect to"
                        + " estimate");
    }

    @Test
    void fewerThanTwoFoldsOrMoreThanObservations() {
        refused(
                () -> DoubleMl.plr(data()).folds(1).estimate(),
                "the number of folds must be at least 2, got 1");
        refused(
                () -> DoubleMl.plr(data()).folds(41).estimate(),
                "the number of folds must be from 2 to the number of observations, which is 40,"
                        + " got 41");
    }

    @Test
    void missingValues() {
        x[6] = Double.NaN;
        x[8] = Double.POSITIVE_INFINITY;
        refused(
                () -> DoubleMl.plr(data()).estimate(),
                "the covariate age has 2 missing or infinite values, the first in row 7: drop such"
                        + " rows or fill them in");
    }

    @Test
    void aTreatmentThatIsNotZeroOrOne() {
        d[4] = 2;
        refused(
                () -> DoubleMl.irm(data()).estimate(),
                "the treatment training must be 0 or 1 for the model irm, got 2 in row 5");
    }

    @Test
    void aFoldWithoutTreated() {
        int[] given = new int[SIZE];
        Arrays.setAll(given, i -> (int) d[i]);
        refused(
                () -> DoubleMl.irm(data(List.of(), given)).folds(2).estimate(),
                "fold 1 of repetition 1 has no observation with training = 1: use fewer folds");
    }

    @Test
    void aClusterThatFillsAFold() {
        int[] cluster = new int[SIZE];
        Arrays.setAll(cluster, i -> i % 7);
        EffectData.Codes codes = new EffectData.Codes("region", cluster);
        refused(
                () -> DoubleMl.plr(data(List.of(codes), null)).estimate(),
                "a cluster of region would fill a fold: 5 folds need at least 10 clusters, got 7");
        int[] given = new int[SIZE];
        Arrays.setAll(given, i -> i % 7 == 3 ? 1 : 0);
        refused(
                () -> DoubleMl.plr(data(List.of(codes), given)).folds(2).estimate(),
                "a cluster of region fills fold 2 of the given folds: there must be two");
    }

    @Test
    void aClusterInTwoGivenFolds() {
        int[] cluster = new int[SIZE];
        Arrays.setAll(cluster, i -> i / 4);
        int[] given = new int[SIZE];
        Arrays.setAll(given, i -> i % 2);
        refused(
                () ->
                        DoubleMl.plr(data(List.of(new EffectData.Codes("region", cluster)), given))
                                .folds(2)
                                .estimate(),
                "a cluster of region is in two of the given folds: rows 1 and 2");
    }

    /** Both ways have the same clusters and folds, so only the folds of equal number share rows. */
    @Test
    void aPairOfGroupsWithoutObservationsForDml1() {
        int[] cluster = new int[SIZE];
        Arrays.setAll(cluster, i -> i % 4);
        EffectData.Codes region = new EffectData.Codes("region", cluster);
        EffectData.Codes fold =
                new EffectData.Codes("fold", Arrays.stream(cluster).map(c -> c / 2).toArray());
        EffectData data =
                new EffectData(
                        new EffectData.Column("income", y),
                        List.of(new EffectData.Column("training", d)),
                        List.of(),
                        List.of(new EffectData.Column("age", x)),
                        List.of(region, region),
                        List.of(fold, fold));
        refused(
                () -> DoubleMl.plr(data).folds(2).procedure(Procedure.DML1).estimate(),
                "dml1 estimates in each pair of groups of clusters, but groups 1 and 2 of"
                        + " repetition 1 share no observation: use fewer folds, or dml2");
    }

    /** Firms are nested in markets, so a split of both may leave nothing outside of a pair. */
    @Test
    void aPairOfGroupsWithoutTrainingSample() {
        int[] cluster = new int[SIZE];
        Arrays.setAll(cluster, i -> i % 5);
        EffectData.Codes firm = new EffectData.Codes("firm", cluster);
        EffectData.Codes market = new EffectData.Codes("market", cluster);
        DoubleMl settings = DoubleMl.plr(data(List.of(firm, market), null)).folds(2);
        refused(
                () -> settings.seed(1).estimate(),
                "every observation is in group 1 of firm or group 1 of market of repetition 1,"
                        + " which leaves none to fit on: use more folds or another seed");
    }

    @Test
    void propensitiesAllAtZeroOrOne() {
        System.arraycopy(d, 0, x, 0, SIZE);
        assertThatThrownBy(() -> DoubleMl.irm(data()).folds(2).estimate())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "all propensities of training are 0 or 1, so no treated row is comparable"
                                + " to an untreated one: remove covariates that determine the"
                                + " treatment");
    }

    @Test
    void aTreatmentThatCovariatesExplainUpToRounding() {
        String sentence =
                "the effect of training is not identified: covariates explain training completely";
        Arrays.setAll(d, i -> 2 * x[i] + 3e5);
        for (Score score : EffectModel.PLR.scores()) {
            assertThatThrownBy(() -> DoubleMl.plr(data()).score(score).estimate())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(sentence);
        }
        System.arraycopy(x, 0, d, 0, SIZE);
        assertThatThrownBy(() -> DoubleMl.plr(data()).procedure(Procedure.DML1).estimate())
                .hasMessage(sentence);
    }

    @Test
    void anInstrumentThatCovariatesExplainUpToRounding() {
        EffectData.Column offer =
                new EffectData.Column(
                        "offer", Arrays.stream(x).map(each -> 1 - each / 3).toArray());
        EffectData.Column other =
                new EffectData.Column("other", Arrays.stream(d).map(Math::cos).toArray());
        assertThatThrownBy(() -> DoubleMl.pliv(instrumented(offer)).estimate())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "the effect of training is not identified: covariates explain offer"
                                + " completely");
        // One instrument that varies is enough.
        assertThat(DoubleMl.pliv(instrumented(offer, other)).estimate().effects()).hasSize(1);
    }

    private EffectData instrumented(EffectData.Column... instruments) {
        return new EffectData(
                data().outcome(),
                data().treatments(),
                List.of(instruments),
                data().covariates(),
                List.of(),
                List.of());
    }

    @Test
    void anInstrumentThatDoesNotChangeTheTreatment() {
        System.arraycopy(d, 0, x, 0, SIZE);
        double[] z = new double[SIZE];
        Arrays.setAll(z, i -> i % 2);
        EffectData data = instrumented(new EffectData.Column("offer", z));
        assertThatThrownBy(() -> DoubleMl.iivm(data).folds(2).estimate())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the effect of training is not identified: offer does not change it");
    }

    /** The treatment follows the offer in fold 1, and everybody is treated in fold 2. */
    @Test
    void anInstrumentThatDoesNotChangeTheTreatmentInAFold() {
        double[] z = new double[SIZE];
        Arrays.setAll(z, i -> i % 2);
        Arrays.setAll(d, i -> i < SIZE / 2 ? z[i] : 1);
        Arrays.fill(x, 1);
        assertThatThrownBy(
                        () ->
                                DoubleMl.iivm(inHalves(new EffectData.Column("offer", z)))
                                        .folds(2)
                                        .procedure(Procedure.DML1)
                                        .estimate())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "the effect of training is not identified: offer does not change it in one"
                                + " of the folds");
    }

    /** In fold 2, the treatment is its mean in fold 1, which rounding changes. */
    @Test
    void aTreatmentThatCovariatesExplainInAFold() {
        Arrays.setAll(d, i -> i < SIZE / 2 ? i / 10.0 : 0.95);
        Arrays.fill(x, 1);
        for (Score score : EffectModel.PLR.scores()) {
            DoubleMl settings = DoubleMl.plr(inHalves()).score(score).folds(2);
            assertThatThrownBy(() -> settings.procedure(Procedure.DML1).estimate())
                    .as("score %s", score)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "the effect of training is not identified: covariates explain training"
                                    + " completely in one of the folds");
            assertThat(settings.procedure(Procedure.DML2).estimate().effects()).hasSize(1);
        }
    }

    @Test
    void anEstimateThatIsNotFinite() {
        double[] z = new double[SIZE];
        Arrays.setAll(z, i -> i % 2);
        Arrays.setAll(d, i -> i / 2 % 2);
        Arrays.fill(x, 1);
        assertThatThrownBy(
                        () ->
                                DoubleMl.pliv(inHalves(new EffectData.Column("offer", z)))
                                        .folds(2)
                                        .estimate())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "the effect of training is not identified: its estimate is not a finite"
                                + " number");
    }

    private EffectData inHalves(EffectData.Column... instruments) {
        int[] fold = new int[SIZE];
        Arrays.setAll(fold, i -> i < SIZE / 2 ? 0 : 1);
        return new EffectData(
                data().outcome(),
                data().treatments(),
                List.of(instruments),
                data().covariates(),
                List.of(),
                List.of(new EffectData.Codes("fold", fold)));
    }

    @Test
    void aLearnerThatIsUnknownOrHasWrongParameters() {
        refused(
                () -> DoubleMl.plr(data()).learner("lsso").estimate(),
                "unknown learner lsso: known are boosting, elastic-net, forest, lasso, linear,"
                        + " logistic and python:FILE");
        refused(
                () -> DoubleMl.plr(data()).learner("forest(tree=5)").estimate(),
                "the learner forest has no parameter tree: it takes trees, depth, leaf, features");
        refused(
                () -> DoubleMl.plr(data()).learner("forest(trees=0)").estimate(),
                "trees of the learner forest must be a whole number from 1 to 100000, got 0");
        refused(
                () -> DoubleMl.plr(data()).learner("forest(trees=5").estimate(),
                "a learner is written as linear or forest(trees=500,depth=5), got forest(trees=5");
        refused(
                () -> DoubleMl.plr(data()).learner(Nuisance.R, "linear").estimate(),
                "the score partialling-out does not fit ml_r: it fits ml_l, ml_m");
    }

    @Test
    void aLearnerInPythonWithAWrongOption() {
        refused(
                () -> DoubleMl.plr(data()).learner("python:f.py?python").estimate(),
                "python of the learner python:f.py?python must be an interpreter, got nothing");
        refused(
                () -> DoubleMl.plr(data()).learner("python:f.py?threads").estimate(),
                "threads of the learner python:f.py?threads must be a whole number from 1 to 1024,"
                        + " got nothing");
        refused(
                () -> DoubleMl.plr(data()).learner("python:f.py?python=%zz").estimate(),
                "python of the learner python:f.py?python=%zz must be percent-encoded, got %zz");
    }

    @Test
    void aSettingThatTheScoreHasNoUseFor() {
        refused(
                () -> DoubleMl.plr(data()).bootstrap(null, 200).estimate(),
                "the draws of the bootstrap are for a bootstrap, got 200 without one");
        refused(
                () -> DoubleMl.plr(data()).trimming(0.1).estimate(),
                "the trimming of propensities is for irm and iivm, got 0.1 for the model plr");
        refused(
                () ->
                        DoubleMl.iivm(data())
                                .sensitivity(new Confounding(0.03, 0.1, 1, 0))
                                .estimate(),
                "cf-y, cf-d, rho and the null hypothesis are for plr and irm, got values for the"
                        + " model iivm");
    }

    @Test
    void aFitThatFailsSaysWhich() {
        assertThatThrownBy(() -> DoubleMl.plr(data()).learner(Nuisance.L, "logistic").estimate())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "the fit of ml_l, treatment training, repetition 1, fold 1 by logistic"
                                + " failed: the learner logistic needs a target of 0 and 1, got ");
    }

    @Test
    void anInstrumentWhereThereIsNone() {
        refused(() -> DoubleMl.pliv(data()).estimate(), "the model pliv needs an instrument");
    }
}
