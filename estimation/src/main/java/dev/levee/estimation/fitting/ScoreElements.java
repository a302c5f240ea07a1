package dev.levee.estimation.fitting;

import dev.levee.estimation.EffectData;
import dev.levee.estimation.Nuisance;
import dev.levee.estimation.NuisanceFunction;
import dev.levee.estimation.Score;
import dev.levee.estimation.learner.Learners;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A linear score ψ = θ·ψ_a + ψ_b at each observation, with the sensitivity terms.
 *
 * @param a ψ_a
 * @param b ψ_b
 * @param residuals residuals of the outcome, for display
 * @param propensities trimmed propensities, null for scores without propensities
 */
record ScoreElements(double[] a, double[] b, double[] residuals, double[] propensities) {
    /** Residuals of at most this many standard deviations are rounding errors. */
    static final double ROUNDING = 1e-9;

    /** Predictions of one treatment and repetition, by nuisance function. */
    record Predictions(List<NuisanceFunction> functions, double[] values, int size) {
        double of(Nuisance kind, int observation) {
            return values[first(kind) * size + observation];
        }

        double at(int function, int observation) {
            return values[function * size + observation];
        }

        double[] column(Nuisance kind) {
            int from = first(kind) * size;
            return Arrays.copyOfRange(values, from, from + size);
        }

        /** Index of the first function of a kind. */
        int first(Nuisance kind) {
            int index = 0;
            while (functions.get(index).kind() != kind) {
                index++;
            }
            return index;
        }
    }

    static ScoreElements of(
            EffectData data, Score score, int treatment, Predictions predictions, double epsilon) {
        requireIdentified(data, score, treatment, predictions, all(data.size()), "");
        int n = data.size();
        double[] a = new double[n];
        double[] b = new double[n];
        double[] residuals = new double[n];
        double[] y = data.outcome().values();
        double[] d = data.treatments().get(treatment).values();
        double[] z = data.assignment(treatment).values();
        double[] m =
                score.hasPropensity()
                        ? trimmed(data, treatment, predictions.column(Nuisance.M), epsilon)
                        : null;
        double[] w = score == Score.PLIV ? instrument(data, d, predictions) : null;
        double share = mean(d);
        for (int i = 0; i < n; i++) {
            switch (score) {
                case PARTIALLING_OUT -> {
                    double v = d[i] - predictions.of(Nuisance.M, i);
                    residuals[i] = y[i] - predictions.of(Nuisance.L, i);
                    a[i] = -v * v;
                    b[i] = residuals[i] * v;
                }
                case IV_TYPE -> {
                    double v = d[i] - predictions.of(Nuisance.M, i);
                    residuals[i] = y[i] - predictions.of(Nuisance.G, i);
                    a[i] = -v * d[i];
                    b[i] = v * residuals[i];
                }
                case PLIV -> {
                    residuals[i] = y[i] - predictions.of(Nuisance.L, i);
                    a[i] = -(d[i] - predictions.of(Nuisance.R, i)) * w[i];
                    b[i] = residuals[i] * w[i];
                }
                case ATE -> {
                    a[i] = -1;
                    b[i] =
                            contrast(
                                    y[i],
                                    d[i],
                                    m[i],
                                    predictions.of(Nuisance.G0, i),
                                    predictions.of(Nuisance.G1, i));
                    residuals[i] = y[i] - predictions.of(d[i] == 1 ? Nuisance.G1 : Nuisance.G0, i);
                }
                case ATT -> {
                    double untreated = y[i] - predictions.of(Nuisance.G0, i);
                    a[i] = -d[i] / share;
                    b[i] =
                            d[i] * untreated / share
                                    - m[i] * (1 - d[i]) * untreated / (share * (1 - m[i]));
                    residuals[i] = y[i] - predictions.of(d[i] == 1 ? Nuisance.G1 : Nuisance.G0, i);
                }
                case LATE -> {
                    a[i] =
                            -contrast(
                                    d[i],
                                    z[i],
                                    m[i],
                                    predictions.of(Nuisance.R0, i),
                                    predictions.of(Nuisance.R1, i));
                    b[i] =
                            contrast(
                                    y[i],
                                    z[i],
                                    m[i],
                                    predictions.of(Nuisance.G0, i),
                                    predictions.of(Nuisance.G1, i));
                    residuals[i] = y[i] - predictions.of(z[i] == 1 ? Nuisance.G1 : Nuisance.G0, i);
                }
            }
        }
        return new ScoreElements(a, b, residuals, m);
    }

    /**
     * Checks that the treatment and an instrument vary beyond the covariates in these observations,
     * if the score divides by their residuals.
     *
     * @param where ends the sentence, such as {@code " in one of the folds"}
     * @throws IllegalStateException if they do not; one sentence
     */
    static void requireIdentified(
            EffectData data,
            Score score,
            int treatment,
            Predictions predictions,
            int[] observations,
            String where) {
        if (score.hasPropensity()) {
            return;
        }
        List<EffectData.Column> explained = new ArrayList<>();
        int instruments = 0;
        for (int q = 0; q < predictions.functions().size(); q++) {
            NuisanceFunction function = predictions.functions().get(q);
            EffectData.Column column =
                    switch (function.kind()) {
                        case M -> data.assignment(treatment, function);
                        case R -> data.treatments().get(treatment);
                        default -> null;
                    };
            boolean only =
                    column != null && explained(column.values(), predictions, q, observations);
            if (only && function.kind() == Nuisance.R) {
                throw explained(data, treatment, List.of(column), where);
            }
            if (only) {
                explained.add(column);
            }
            instruments += function.kind() == Nuisance.M ? 1 : 0;
        }
        if (explained.size() == instruments) {
            throw explained(data, treatment, explained, where);
        }
    }

    private static IllegalStateException explained(
            EffectData data, int treatment, List<EffectData.Column> columns, String where) {
        String names =
                columns.stream().map(EffectData.Column::name).collect(Collectors.joining(" and "));
        return unidentified(data, treatment, "covariates explain " + names + " completely" + where);
    }

    static int[] all(int size) {
        return IntStream.range(0, size).toArray();
    }

    static IllegalStateException unidentified(EffectData data, int treatment, String why) {
        return new IllegalStateException(
                "the effect of %s is not identified: %s"
                        .formatted(data.treatments().get(treatment).name(), why));
    }

    /** True if a column differs from its predictions for these observations by rounding only. */
    private static boolean explained(
            double[] column, Predictions predictions, int function, int[] observations) {
        double mean = mean(column);
        double deviation = RepetitionEstimator.deviation(column);
        double[] rest = new double[observations.length];
        for (int k = 0; k < rest.length; k++) {
            double residual = column[observations[k]] - predictions.at(function, observations[k]);
            rest[k] = residual * residual;
        }
        return Math.sqrt(mean(rest)) <= ROUNDING * deviation + 4 * Math.ulp(mean);
    }

    /**
     * The residual of the instrument. For several instruments, it is the linear combination of
     * their residuals, with an intercept, that is nearest to the treatment's residual (two-stage
     * least squares), as in DoubleML.
     */
    private static double[] instrument(EffectData data, double[] d, Predictions predictions) {
        int n = data.size();
        int first = predictions.first(Nuisance.M);
        double[][] rest = new double[n][data.instruments().size()];
        double[] treatment = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < rest[i].length; j++) {
                rest[i][j] = data.instruments().get(j).values()[i] - predictions.at(first + j, i);
            }
            treatment[i] = d[i] - predictions.of(Nuisance.R, i);
        }
        return data.instruments().size() == 1
                ? Arrays.stream(rest).mapToDouble(row -> row[0]).toArray()
                : Learners.of("linear").fit(rest, treatment, 0).predict(rest);
    }

    /** The doubly robust difference of the two arms at one observation. */
    private static double contrast(double value, double arm, double m, double g0, double g1) {
        return g1 - g0 + arm * (value - g1) / m - (1 - arm) * (value - g0) / (1 - m);
    }

    private static double[] trimmed(
            EffectData data, int treatment, double[] propensities, double epsilon) {
        boolean inside = false;
        for (int i = 0; i < propensities.length; i++) {
            inside |= propensities[i] > epsilon && propensities[i] < 1 - epsilon;
            propensities[i] = Math.max(epsilon, Math.min(1 - epsilon, propensities[i]));
        }
        if (!inside) {
            throw new IllegalStateException(
                    "all propensities of %s are 0 or 1, so no treated row is comparable to an untreated one: remove covariates that determine the treatment"
                            .formatted(data.assignment(treatment).name()));
        }
        return propensities;
    }

    static double mean(double[] values) {
        double sum = 0;
        for (double each : values) {
            sum += each;
        }
        return sum / values.length;
    }

    /** ψ for an estimate θ. */
    double[] at(double theta) {
        double[] psi = new double[a.length];
        for (int i = 0; i < psi.length; i++) {
            psi[i] = theta * a[i] + b[i];
        }
        return psi;
    }
}
