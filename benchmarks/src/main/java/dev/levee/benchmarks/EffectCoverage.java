package dev.levee.benchmarks;

import dev.levee.estimation.Effect;
import dev.levee.estimation.EffectData;
import dev.levee.estimation.Nuisance;
import dev.levee.estimation.fitting.DoubleMl;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Measures how often 95 % intervals contain the true effect of 0.5, and the errors of the
 * estimates. The simulated data have 20 covariates and follow the recipes of DoubleML's
 * documentation: {@code make_plr_CCDDHNR2018} (Chernozhukov et al. 2018), {@code make_pliv_CHS2015}
 * with one instrument (Chernozhukov, Hansen, Spindler 2015), {@code make_irm_data}, and {@code
 * make_iivm_data} with {@code alpha_x=1}. Data sets are estimated in parallel on all processors.
 * Arguments: replications (500), observations (500), a word that selects the rows to run (all).
 */
public final class EffectCoverage {
    private static final int COVARIATES = 20;
    private static final double THETA = 0.5;

    private EffectCoverage() {}

    /** A recipe for drawing data. */
    private enum Recipe {
        PLR(0.7) {
            @Override
            void draw(double[] x, SplittableRandom random, Row row) {
                double m = x[0] + 0.25 * logistic(x[2]);
                double g = logistic(x[0]) + 0.25 * x[2];
                row.d = m + random.nextGaussian();
                row.y = THETA * row.d + g + random.nextGaussian();
            }
        },
        PLIV(0.5) {
            @Override
            void draw(double[] x, SplittableRandom random, Row row) {
                double u = random.nextGaussian();
                double epsilon = correlated(0.6, u, random);
                row.z = x[0] + 0.5 * random.nextGaussian();
                row.d = index(x) + row.z + u;
                row.y = THETA * row.d + index(x) + epsilon;
            }
        },
        IRM(0.5) {
            @Override
            void draw(double[] x, SplittableRandom random, Row row) {
                double scaled = index(x) / INDEX_DEVIATION;
                row.d = random.nextDouble() < logistic(Math.PI / Math.sqrt(3) * scaled) ? 1 : 0;
                row.y = row.d * (THETA + scaled) + random.nextGaussian();
            }
        },
        IIVM(0.5) {
            @Override
            void draw(double[] x, SplittableRandom random, Row row) {
                double u = random.nextGaussian();
                double v = correlated(0.3, u, random);
                row.z = random.nextDouble() < 0.5 ? 1 : 0;
                row.d = row.z + v > 0 ? 1 : 0;
                row.y = THETA * row.d + index(x) + u;
            }
        };

        /**
         * The standard deviation of x'β, where β_j = 1/j² and the covariates' correlations are
         * 0.5^|i − j|.
         */
        private static final double INDEX_DEVIATION = indexDeviation();

        private final double correlation;

        Recipe(double correlation) {
            this.correlation = correlation;
        }

        abstract void draw(double[] x, SplittableRandom random, Row row);

        private static double index(double[] x) {
            double sum = 0;
            for (int j = 0; j < x.length; j++) {
                sum += x[j] / ((j + 1.0) * (j + 1.0));
            }
            return sum;
        }

        private static double indexDeviation() {
            double sum = 0;
            for (int i = 1; i <= COVARIATES; i++) {
                for (int j = 1; j <= COVARIATES; j++) {
                    sum += Math.pow(0.5, Math.abs(i - j)) / ((double) i * i * j * j);
                }
            }
            return Math.sqrt(sum);
        }

        private static double correlated(double correlation, double with, SplittableRandom random) {
            return correlation * with
                    + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
        }

        private static double logistic(double value) {
            return 1 / (1 + Math.exp(-value));
        }

        EffectData data(int size, SplittableRandom random) {
            double[][] x = new double[COVARIATES][size];
            double[] y = new double[size];
            double[] d = new double[size];
            double[] z = new double[size];
            double fresh = Math.sqrt(1 - correlation * correlation);
            double[] one = new double[COVARIATES];
            Row row = new Row();
            for (int i = 0; i < size; i++) {
                // An autoregression has exactly these correlations.
                one[0] = random.nextGaussian();
                for (int j = 1; j < COVARIATES; j++) {
                    one[j] = correlation * one[j - 1] + fresh * random.nextGaussian();
                }
                draw(one, random, row);
                for (int j = 0; j < COVARIATES; j++) {
                    x[j][i] = one[j];
                }
                y[i] = row.y;
                d[i] = row.d;
                z[i] = row.z;
            }
            List<EffectData.Column> covariates = new ArrayList<>();
            for (int j = 0; j < COVARIATES; j++) {
                covariates.add(new EffectData.Column("x" + j, x[j]));
            }
            boolean instrument = this == PLIV || this == IIVM;
            return new EffectData(
                    new EffectData.Column("y", y),
                    List.of(new EffectData.Column("d", d)),
                    instrument ? List.of(new EffectData.Column("z", z)) : List.of(),
                    covariates,
                    List.of(),
                    List.of());
        }
    }

    /** The outcome, treatment and instrument of an observation. */
    private static final class Row {
        private double y;
        private double d;
        private double z;
    }

    private record Study(String name, Recipe recipe, Function<EffectData, DoubleMl> settings) {}

    private static final List<Study> STUDIES = studies();

    private static List<Study> studies() {
        List<Study> all = new ArrayList<>();
        for (String learner :
                List.of("linear", "forest(trees=100,features=1)", "boosting(trees=50,depth=2)")) {
            // A least-squares fit gives no probability, so it cannot be a propensity.
            String propensity = learner.equals("linear") ? "logistic" : learner;
            all.add(
                    new Study(
                            "plr, " + learner,
                            Recipe.PLR,
                            data -> DoubleMl.plr(data).learner(learner)));
            all.add(
                    new Study(
                            "pliv, " + learner,
                            Recipe.PLIV,
                            data -> DoubleMl.pliv(data).learner(learner)));
            all.add(
                    new Study(
                            "irm, " + learner,
                            Recipe.IRM,
                            data ->
                                    DoubleMl.irm(data)
                                            .learner(learner)
                                            .learner(Nuisance.M, propensity)));
            all.add(
                    new Study(
                            "iivm, " + learner,
                            Recipe.IIVM,
                            data ->
                                    DoubleMl.iivm(data)
                                            .learner(learner)
                                            .learner(Nuisance.M, propensity)
                                            .learner(Nuisance.R0, propensity)
                                            .learner(Nuisance.R1, propensity)));
        }
        all.add(
                new Study(
                        "plr, lasso(alpha=0.01)",
                        Recipe.PLR,
                        data -> DoubleMl.plr(data).learner("lasso(alpha=0.01)")));
        return all;
    }

    /** Prints a line for each model and learner. */
    public static void main(String[] arguments) {
        int replications = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 500;
        int observations = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 500;
        Machine.print();
        System.out.printf(
                "%d replications of %d observations, 5 folds, 1 repetition%n",
                replications, observations);
        for (Study study : STUDIES) {
            if (arguments.length < 3 || study.name().contains(arguments[2])) {
                run(study, replications, observations);
            }
        }
    }

    private static void run(Study study, int replications, int observations) {
        long began = System.nanoTime();
        List<Effect> effects =
                IntStream.range(0, replications)
                        .parallel()
                        .mapToObj(r -> estimate(study, observations, r))
                        .toList();
        int covered = 0;
        double sum = 0;
        double squares = 0;
        double errors = 0;
        for (Effect effect : effects) {
            covered += effect.lower() <= THETA && THETA <= effect.upper() ? 1 : 0;
            double off = effect.coefficient() - THETA;
            sum += off;
            squares += off * off;
            errors += effect.standardError();
        }
        double bias = sum / replications;
        double deviation = Math.sqrt(squares / replications - bias * bias);
        System.out.printf(
                Locale.ROOT,
                "%-34s coverage %.1f %%, bias %+.4f (%.1f standard errors), deviation %.4f, mean"
                        + " standard error %.4f, %.0f s%n",
                study.name(),
                100.0 * covered / replications,
                bias,
                Math.abs(bias) / (deviation / Math.sqrt(replications)),
                deviation,
                errors / replications,
                (System.nanoTime() - began) / 1e9);
    }

    private static Effect estimate(Study study, int observations, int replication) {
        EffectData data =
                study.recipe().data(observations, new SplittableRandom(1000 + replication));
        return study.settings().apply(data).seed(replication).estimate().effects().get(0);
    }
}
