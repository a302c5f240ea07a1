package dev.levee.estimation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.estimation.fitting.CrossFitting;
import dev.levee.estimation.fitting.DoubleMl;
import dev.levee.estimation.fitting.Folds;
import dev.levee.estimation.fitting.RepetitionEstimator;
import dev.levee.estimation.fitting.SampleSums;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;

class DoubleMlTest {
    private static final double THETA = 0.5;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "linear",
                "lasso(alpha=0.01)",
                "elastic-net(alpha=0.01,ratio=0.5)",
                "forest(trees=50)",
                "boosting(trees=30)",
                "lasso(alpha=0.001|0.01|1)"
            })
    void everyLearnerFindsAnEffectWithinItsSamplingError(String learner) {
        long seed = 11;
        EffectData data = Samples.partiallyLinear(1000, THETA, seed);
        Effect effect = DoubleMl.plr(data).learner(learner).estimate().effects().get(0);
        // Regularized learners leave some of X₁ in both residuals, which biases by less than that.
        assertThat(effect.coefficient())
                .as("seed %d", seed)
                .isCloseTo(THETA, within(4 * effect.standardError()));
        assertThat(effect.standardError()).isCloseTo(1 / Math.sqrt(1000), within(0.01));
        assertThat(effect.lower()).isLessThan(effect.coefficient());
        assertThat(effect.p()).isLessThan(1e-6);
    }

    @Test
    void theSameSeedHasTheSameBitsAndAnotherOneHasOthers() {
        EffectData data = Samples.partiallyLinear(200, THETA, 3);
        DoubleMl settings = DoubleMl.plr(data).learner("forest(trees=20)").repetitions(3);
        double first = settings.seed(7).estimate().effects().get(0).coefficient();
        assertThat(settings.seed(7).estimate().effects().get(0).coefficient()).isEqualTo(first);
        assertThat(settings.seed(8).estimate().effects().get(0).coefficient()).isNotEqualTo(first);
    }

    @Test
    void tasksOfEitherSizeHaveTheSameBits() {
        EffectData data = Samples.partiallyLinear(200, THETA, 3);
        Specification specification =
                DoubleMl.plr(data).learner("forest(trees=20)").repetitions(2).specification();
        assertThat(theta(data, specification, FitTask.Size.FOLD))
                .isEqualTo(theta(data, specification, FitTask.Size.REPETITION));
    }

    private static double theta(EffectData data, Specification specification, FitTask.Size size) {
        CrossFitting fitting = new CrossFitting(data, specification, size);
        double[][] results = new double[fitting.tasksPerRepetition()][];
        // The second repetition, last task first.
        for (int i = results.length - 1; i >= 0; i--) {
            results[i] = fitting.run(results.length + i);
        }
        RepetitionEstimate estimate =
                new RepetitionEstimator(data, specification, fitting)
                        .estimate(1, results, TaskTimes.NONE);
        assertThat(estimate.fits()).isEqualTo(10);
        return estimate.treatments()[0].theta();
    }

    @Test
    void severalTreatmentsAreEachOthersCovariates() {
        EffectData one = Samples.partiallyLinear(2000, THETA, 5);
        Random random = new Random(6);
        double[] second = new double[2000];
        double[] y = one.outcome().values().clone();
        for (int i = 0; i < second.length; i++) {
            // It hangs together with the first, so it would bias if it were left out.
            second[i] = one.treatments().get(0).values()[i] + random.nextGaussian();
            y[i] += -1.5 * second[i];
        }
        EffectData data =
                new EffectData(
                        new EffectData.Column("y", y),
                        List.of(one.treatments().get(0), new EffectData.Column("d2", second)),
                        List.of(),
                        one.covariates(),
                        List.of(),
                        List.of());
        Estimate estimate = DoubleMl.plr(data).bootstrap(Multiplier.NORMAL, 500).estimate();
        Effect d = estimate.effect("d");
        Effect d2 = estimate.effect("d2");
        assertThat(d.coefficient()).isCloseTo(THETA, within(4 * d.standardError()));
        assertThat(d2.coefficient()).isCloseTo(-1.5, within(4 * d2.standardError()));
        // For two tests Bonferroni's 2.24 is the most, one test's 1.96 the least.
        assertThat(estimate.criticalValue()).isBetween(1.8, 2.5);
        assertThat(d.jointLower()).isLessThan(d.lower());
    }

    @ParameterizedTest
    @EnumSource(Multiplier.class)
    void multipliersHaveMeanZeroAndVarianceOne(Multiplier multiplier) {
        SplittableRandom random = new SplittableRandom(1);
        double sum = 0;
        double squares = 0;
        int draws = 200_000;
        for (int i = 0; i < draws; i++) {
            double value = multiplier.draw(random);
            sum += value;
            squares += value * value;
        }
        // Five standard errors; fourth moments are 9 at most.
        assertThat(sum / draws).isCloseTo(0, within(5 / Math.sqrt(draws)));
        assertThat(squares / draws).isCloseTo(1, within(5 * Math.sqrt(9.0 / draws)));
    }

    @ParameterizedTest
    @EnumSource(Multiplier.class)
    void theBootstrapOfOneTreatmentIsAboutTheNormalQuantile(Multiplier multiplier) {
        EffectData data = Samples.partiallyLinear(500, THETA, 2);
        Estimate estimate = DoubleMl.plr(data).bootstrap(multiplier, 4000).estimate();
        // A quantile of 4,000 draws has a standard error of 0.03; skewed multipliers add their own.
        assertThat(estimate.criticalValue()).isCloseTo(1.96, within(0.2));
    }

    @Test
    void clustersOfTwoWaysAreAsTheirDefinitionSays() {
        int rows = 12;
        int columns = 15;
        EffectData plain = Samples.partiallyLinear(rows * columns, THETA, 9);
        int[] first = new int[rows * columns];
        int[] second = new int[rows * columns];
        for (int i = 0; i < first.length; i++) {
            first[i] = i / columns;
            second[i] = i % columns;
        }
        EffectData data =
                new EffectData(
                        plain.outcome(),
                        plain.treatments(),
                        List.of(),
                        plain.covariates(),
                        List.of(
                                new EffectData.Codes("firm", first),
                                new EffectData.Codes("market", second)),
                        List.of());
        Specification specification = DoubleMl.plr(data).folds(2).specification();
        CrossFitting fitting = new CrossFitting(data, specification, FitTask.Size.FOLD);
        assertThat(fitting.fits()).isEqualTo(2 * 4);
        Folds folds = fitting.folds(0);
        for (int part = 0; part < 4; part++) {
            for (int test : folds.test(part)) {
                for (int train : folds.train(part)) {
                    assertThat(first[train]).isNotEqualTo(first[test]);
                    assertThat(second[train]).isNotEqualTo(second[test]);
                }
            }
        }
        double[] psi = new double[first.length];
        Arrays.setAll(psi, i -> Math.sin(i * 0.7));
        double expected = 0;
        for (int part = 0; part < 4; part++) {
            int[] test = folds.test(part);
            double i = Arrays.stream(test).map(o -> first[o]).distinct().count();
            double j = Arrays.stream(test).map(o -> second[o]).distinct().count();
            double sum = 0;
            for (int a : test) {
                for (int b : test) {
                    sum += first[a] == first[b] ? psi[a] * psi[b] : 0;
                    sum += second[a] == second[b] ? psi[a] * psi[b] : 0;
                }
            }
            expected += sum * Math.min(i, j) / (i * j * i * j) / 4;
        }
        SampleSums sums = new SampleSums(data, folds);
        assertThat(sums.product(psi, psi)).isCloseTo(expected, within(1e-12));
        assertThat(sums.effectiveSize()).isEqualTo(12);
        Effect effect = DoubleMl.plr(data).folds(2).estimate().effects().get(0);
        assertThat(effect.coefficient()).isCloseTo(THETA, within(5 * effect.standardError()));
    }

    @Test
    void propensitiesAreTrimmedAndCounted() {
        Samples.Reference columns = Samples.reference();
        Effect effect =
                DoubleMl.irm(columns.data(columns.b(), null))
                        .folds(4)
                        .learner(Nuisance.M, "logistic")
                        .trimming(0.4)
                        .estimate()
                        .effects()
                        .get(0);
        int[] overlap = effect.repetitions().get(0).overlap();
        assertThat(Arrays.stream(overlap).sum()).isEqualTo(240);
        List<Integer> bins = new ArrayList<>();
        for (int i = 0; i < overlap.length; i++) {
            if (overlap[i] > 0) {
                bins.add(i % 20);
            }
        }
        assertThat(bins).allMatch(bin -> bin >= 7 && bin <= 12);
        assertThat(effect.sensitivity()).isNotNull();
    }

    @Test
    void aClosedCrossFittingFitsNothing() {
        EffectData data = Samples.partiallyLinear(100, THETA, 3);
        Specification specification = DoubleMl.plr(data).specification();
        CrossFitting fitting = new CrossFitting(data, specification, FitTask.Size.REPETITION);
        fitting.close();
        assertThatThrownBy(() -> fitting.run(0))
                .isInstanceOf(CancellationException.class)
                .hasMessage("the estimate was ended");
    }

    @ParameterizedTest
    @ValueSource(strings = {"forest(trees=1)", "lasso(alpha=0.1|1)"})
    void anInterruptedThreadEndsALongFit(String learner) {
        EffectData data = Samples.partiallyLinear(100, THETA, 3);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> DoubleMl.plr(data).learner(learner).estimate())
                    .isInstanceOf(CancellationException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
