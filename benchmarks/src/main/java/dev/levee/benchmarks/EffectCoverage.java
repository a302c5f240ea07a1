package dev.levee.benchmarks;

import dev.levee.estimation.DoubleMl;
import dev.levee.estimation.Effect;
import dev.levee.estimation.EffectData;
import dev.levee.estimation.Nuisance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * How often 95 % intervals hold the true effect, and how far estimates are off, over simulated
 * data: partially linear as in Chernozhukov et al. 2018 (DoubleML's {@code make_plr_CCDDHNR2018}:
 * 20 covariates of correlation 0.7^|i − j|, θ = 0.5), and the same covariates with a treatment of 0
 * and 1 for the interactive model. Arguments: replications (500), observations (500), a word that
 * the rows to run have (all).
 */
public final class EffectCoverage {
    private static final int COVARIATES = 20;
    private static final double THETA = 0.5;
    private static final double CORRELATION = 0.7;

    private EffectCoverage() {}

    private record Row(String name, boolean binary, Function<EffectData, DoubleMl> settings) {}

    private static final List<Row> ROWS =
            List.of(
                    new Row("plr, linear", false, DoubleMl::plr),
                    new Row(
                            "plr, lasso(alpha=0.01)",
                            false,
                            data -> DoubleMl.plr(data).learner("lasso(alpha=0.01)")),
                    new Row(
                            "irm, linear and logistic",
                            true,
                            data -> DoubleMl.irm(data).learner(Nuisance.M, "logistic")),
                    new Row(
                            "plr, forest(trees=100)",
                            false,
                            data -> DoubleMl.plr(data).learner("forest(trees=100)")),
                    new Row(
                            "plr, boosting(trees=50,depth=2)",
                            false,
                            data -> DoubleMl.plr(data).learner("boosting(trees=50,depth=2)")));

    /** Prints a line for each model and learner. */
    public static void main(String[] arguments) {
        int replications = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 500;
        int observations = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 500;
        Machine.print();
        System.out.printf(
                "%d replications of %d observations, 5 folds, 1 repetition%n",
                replications, observations);
        for (Row row : ROWS) {
            if (arguments.length < 3 || row.name().contains(arguments[2])) {
                run(row, replications, observations);
            }
        }
    }

    private static void run(Row row, int replications, int observations) {
        long began = System.nanoTime();
        int covered = 0;
        double sum = 0;
        double squares = 0;
        double errors = 0;
        for (int r = 0; r < replications; r++) {
            EffectData data = draw(observations, row.binary(), new SplittableRandom(1000 + r));
            Effect effect = row.settings().apply(data).seed(r).estimate().effects().get(0);
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
                row.name(),
                100.0 * covered / replications,
                bias,
                Math.abs(bias) / (deviation / Math.sqrt(replications)),
                deviation,
                errors / replications,
                (System.nanoTime() - began) / 1e9);
    }

    private static EffectData draw(int size, boolean binary, SplittableRandom random) {
        double[][] x = new double[COVARIATES][size];
        double[] d = new double[size];
        double[] y = new double[size];
        double fresh = Math.sqrt(1 - CORRELATION * CORRELATION);
        for (int i = 0; i < size; i++) {
            // An autoregression has just these correlations.
            x[0][i] = random.nextGaussian();
            for (int j = 1; j < COVARIATES; j++) {
                x[j][i] = CORRELATION * x[j - 1][i] + fresh * random.nextGaussian();
            }
            double m = x[0][i] + 0.25 * logistic(x[2][i]);
            double g = logistic(x[0][i]) + 0.25 * x[2][i];
            d[i] = binary ? random.nextDouble() < logistic(m) ? 1 : 0 : m + random.nextGaussian();
            y[i] = THETA * d[i] + g + random.nextGaussian();
        }
        List<EffectData.Column> covariates = new ArrayList<>();
        for (int j = 0; j < COVARIATES; j++) {
            covariates.add(new EffectData.Column("x" + j, x[j]));
        }
        return new EffectData(
                new EffectData.Column("y", y),
                List.of(new EffectData.Column("d", d)),
                List.of(),
                covariates,
                List.of(),
                List.of());
    }

    private static double logistic(double value) {
        return 1 / (1 + Math.exp(-value));
    }
}
