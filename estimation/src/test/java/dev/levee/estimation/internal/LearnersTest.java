package dev.levee.estimation.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.estimation.learner.Learners;
import dev.levee.estimation.learner.Predictor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

class LearnersTest {
    @Test
    void aLineThroughThreePoints() {
        // Slope Σ(x − 1)(y − 2)/Σ(x − 1)² = 3/2, intercept 2 − 3/2.
        LeastSquares line =
                LeastSquares.fit(new double[][] {{0}, {1}, {2}}, new double[] {1, 1, 4});
        assertThat(line.predict(new double[] {3})).isCloseTo(5, within(1e-14));
        assertThat(line.predict(new double[] {0})).isCloseTo(0.5, within(1e-14));
    }

    @Test
    void columnsThatOthersDetermineDoNotMatter() {
        double[][] rows = new double[30][4];
        double[] target = new double[30];
        for (int i = 0; i < 30; i++) {
            rows[i][0] = i % 2;
            rows[i][1] = 1 - i % 2;
            rows[i][2] = 7;
            rows[i][3] = Math.sin(i);
            target[i] = 3 * rows[i][0] - rows[i][3] + 10;
        }
        assertThat(LeastSquares.fit(rows, target).predict(new double[] {1, 0, 7, 2}))
                .isCloseTo(11, within(1e-12));
    }

    @Test
    void columnsOfAnySizeAreWellConditioned() {
        Random random = new Random(4);
        double[][] rows = new double[100][2];
        double[] target = new double[100];
        for (int i = 0; i < 100; i++) {
            rows[i][0] = 1e9 + random.nextGaussian();
            rows[i][1] = 1e-9 * random.nextGaussian();
            target[i] = 2 * (rows[i][0] - 1e9) + 3e9 * rows[i][1];
        }
        // The first column itself is rounded to 1e-7.
        assertThat(LeastSquares.fit(rows, target).predict(new double[] {1e9 + 1, 1e-9}))
                .isCloseTo(5, within(1e-6));
    }

    @Test
    void logisticRegressionIsTheShareWithoutCovariatesThatMatter() {
        double[] target = {1, 1, 1, 0, 0, 0, 0, 0};
        Predictor constant = Learners.of("logistic").fit(new double[8][1], target, 1);
        assertThat(constant.predict(new double[][] {{0}})[0]).isCloseTo(0.375, within(1e-12));
    }

    @Test
    void separableClassesEndAtTheBoundAndStayFinite() {
        double[][] rows = new double[20][1];
        double[] target = new double[20];
        for (int i = 0; i < 20; i++) {
            rows[i][0] = i;
            target[i] = i < 10 ? 0 : 1;
        }
        double[] fitted = Learners.of("logistic").fit(rows, target, 1).predict(rows);
        for (int i = 0; i < 20; i++) {
            assertThat(fitted[i]).isCloseTo(target[i], within(0.01));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"boosting(trees=2|3)", "lasso(alpha=0.1|1)", "forest(trees=2|3)"})
    void aTunedLearnerFitsFewerRowsThanFolds(String learner) {
        for (int size = 4; size > 0; size--) {
            double[][] rows = new double[size][1];
            double[] target = new double[size];
            for (int i = 0; i < size; i++) {
                rows[i][0] = i;
                target[i] = i * i;
            }
            assertThat(Learners.of(learner).fit(rows, target, 1).predict(rows)).hasSize(size);
        }
    }

    @Test
    void aForestSplitsWhereAStepIs() {
        double[][] rows = new double[400][2];
        double[] target = new double[400];
        Random random = new Random(5);
        for (int i = 0; i < 400; i++) {
            rows[i][0] = random.nextDouble();
            rows[i][1] = random.nextDouble();
            target[i] = rows[i][0] < 0.5 ? 1 : 3;
        }
        Predictor forest = Learners.of("forest(trees=50,features=1)").fit(rows, target, 1);
        double[] predicted = forest.predict(new double[][] {{0.2, 0.5}, {0.8, 0.5}});
        assertThat(predicted[0]).isCloseTo(1, within(1e-12));
        assertThat(predicted[1]).isCloseTo(3, within(1e-12));
    }

    @Test
    void binsKeepFewValuesApartAndCutManyAtQuantiles() {
        Bins few = Bins.of(new double[][] {{3}, {1}, {3}, {2}});
        assertThat(few.count(0)).isEqualTo(3);
        assertThat(few.code(0, 0)).isEqualTo(2);
        assertThat(few.edge(0, 0)).isEqualTo(1.5);
        double[][] many = new double[10_000][1];
        for (int i = 0; i < many.length; i++) {
            many[i][0] = i;
        }
        Bins bins = Bins.of(many);
        assertThat(bins.count(0)).isEqualTo(256);
        int[] sizes = new int[256];
        for (int i = 0; i < many.length; i++) {
            sizes[bins.code(0, i)]++;
        }
        for (int size : sizes) {
            assertThat(size).isBetween(39, 40);
        }
    }

    @ParameterizedTest
    @CsvSource({"1000, 1", "100000, 1", "0, 1e-6", "0, 1e6"})
    void boostingDoesNotDependOnTheOriginOrUnitOfItsTarget(double origin, double unit) {
        double[][] rows = new double[200][1];
        double[] target = new double[200];
        double[] other = new double[200];
        Random random = new Random(6);
        for (int i = 0; i < 200; i++) {
            rows[i][0] = random.nextGaussian();
            target[i] = Math.sin(rows[i][0]) + random.nextGaussian();
            other[i] = origin + unit * target[i];
        }
        double[] expected = Learners.of("boosting(trees=50)").fit(rows, target, 1).predict(rows);
        double[] predicted = Learners.of("boosting(trees=50)").fit(rows, other, 1).predict(rows);
        for (int i = 0; i < 200; i++) {
            assertThat((predicted[i] - origin) / unit).isCloseTo(expected[i], within(1e-4));
        }
    }

    /** The only quantiles are inside the run of zeros, below the few positive values. */
    @Test
    void aForestSplitsAboveAValueThatMostRowsHave() {
        double[][] rows = new double[30_000][1];
        double[] target = new double[30_000];
        for (int i = 0; i < 300; i++) {
            rows[i][0] = 1 + i / 300.0;
            target[i] = 10;
        }
        Predictor forest = Learners.of("forest(trees=5)").fit(rows, target, 1);
        double[] predicted = forest.predict(new double[][] {{0}, {1.01}, {1.5}});
        assertThat(predicted).containsExactly(new double[] {0, 10, 10}, within(1e-9));
        Bins bins = Bins.of(rows);
        assertThat(bins.count(0)).isBetween(2, 256);
    }

    @Test
    void binsSeparateAHeavyValueFromBothSides() {
        double[][] rows = new double[40_000][1];
        for (int i = 0; i < rows.length; i++) {
            rows[i][0] = i < 1000 ? i - 1000 : i < 39_000 ? 7 : i;
        }
        Bins bins = Bins.of(rows);
        assertThat(bins.count(0)).isLessThanOrEqualTo(256);
        int heavy = bins.code(0, 1000);
        assertThat(bins.code(0, 999)).isLessThan(heavy);
        assertThat(bins.code(0, 39_000)).isGreaterThan(heavy);
    }
}
