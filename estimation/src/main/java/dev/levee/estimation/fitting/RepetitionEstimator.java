package dev.levee.estimation.fitting;

import dev.levee.estimation.EffectData;
import dev.levee.estimation.FitTask;
import dev.levee.estimation.Nuisance;
import dev.levee.estimation.NuisanceFunction;
import dev.levee.estimation.Procedure;
import dev.levee.estimation.Quantiles;
import dev.levee.estimation.RepetitionEstimate;
import dev.levee.estimation.Score;
import dev.levee.estimation.Specification;
import dev.levee.estimation.TaskTimes;
import dev.levee.estimation.TreatmentEstimate;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Computes a repetition's estimates from its predictions: scores, θ by DML1 or DML2, the standard
 * error √(σ²/n) with σ² = mean ψ²/J² and J = mean ψ_a, the bootstrap's critical value, and the
 * sensitivity terms.
 */
public final class RepetitionEstimator {
    private static final int OVERLAP_BINS = 20;
    private static final int RESIDUAL_BINS = 40;
    private static final double WIDEST = 4;
    private static final String IN_A_FOLD = " in one of the folds";

    private final EffectData data;
    private final Specification specification;
    private final CrossFitting fitting;

    /** Creates an estimator for repetitions that {@code fitting} fits. */
    public RepetitionEstimator(EffectData data, Specification specification, CrossFitting fitting) {
        this.data = data;
        this.specification = specification;
        this.fitting = fitting;
    }

    /**
     * Computes the estimates of a repetition.
     *
     * @param repetition index of the repetition
     * @param results the results of the repetition's tasks, in order
     * @param times durations of these tasks
     * @throws IllegalStateException if the data do not identify an effect; one sentence
     */
    public RepetitionEstimate estimate(int repetition, double[][] results, TaskTimes times) {
        Folds folds = fitting.folds(repetition);
        SampleSums sums = new SampleSums(data, folds);
        int treatments = data.treatments().size();
        double[][] influences = new double[treatments][];
        TreatmentEstimate[] estimates = new TreatmentEstimate[treatments];
        for (int t = 0; t < treatments; t++) {
            ScoreElements.Predictions predictions = predictions(folds, repetition, t, results);
            ScoreElements score =
                    ScoreElements.of(
                            data, specification.score(), t, predictions, specification.trimming());
            if (specification.procedure() == Procedure.DML1) {
                for (int part = 0; part < folds.count(); part++) {
                    ScoreElements.requireIdentified(
                            data,
                            specification.score(),
                            t,
                            predictions,
                            folds.test(part),
                            IN_A_FOLD);
                }
            }
            double theta = theta(score, sums, t);
            double slope = sums.mean(score.a());
            double[] influence = Arrays.stream(score.at(theta)).map(psi -> -psi / slope).toArray();
            influences[t] = influence;
            estimates[t] = of(t, theta, influence, score, predictions, sums);
        }
        double critical =
                specification.multiplier() == null
                        ? Double.NaN
                        : criticalValue(repetition, influences, estimates, sums);
        return new RepetitionEstimate(
                repetition, estimates, critical, results.length * fitting.fitsPerTask(), times);
    }

    private ScoreElements.Predictions predictions(
            Folds folds, int repetition, int treatment, double[][] results) {
        List<NuisanceFunction> functions = fitting.functions();
        int n = data.size();
        int first = repetition * fitting.tasksPerRepetition();
        double[] values = new double[functions.size() * n];
        for (int i = 0; i < results.length; i++) {
            FitTask task = fitting.task(first + i);
            if (task.treatment() != treatment) {
                continue;
            }
            if (task.function() == null) {
                values = results[i];
                continue;
            }
            int offset = functions.indexOf(task.function()) * n;
            int[] test = folds.test(task.part());
            for (int k = 0; k < test.length; k++) {
                values[offset + test[k]] = results[i][k];
            }
        }
        return new ScoreElements.Predictions(functions, values, n);
    }

    private double theta(ScoreElements score, SampleSums sums, int treatment) {
        double theta;
        requireChange(sums.mean(score.a()), treatment, "");
        if (specification.procedure() == Procedure.DML2) {
            theta = -sums.mean(score.b()) / sums.mean(score.a());
        } else {
            double[] a = sums.means(score.a());
            double[] b = sums.means(score.b());
            double total = 0;
            for (int part = 0; part < a.length; part++) {
                requireChange(a[part], treatment, IN_A_FOLD);
                total -= b[part] / a[part];
            }
            theta = total / a.length;
        }
        if (!Double.isFinite(theta)) {
            throw ScoreElements.unidentified(
                    data, treatment, "its estimate is not a finite number");
        }
        return theta;
    }

    /** Checks that the instrument of a local effect changes the treatment, by this mean ψ_a. */
    private void requireChange(double slope, int treatment, String where) {
        if (specification.score() == Score.LATE && Math.abs(slope) < ScoreElements.ROUNDING) {
            throw ScoreElements.unidentified(
                    data,
                    treatment,
                    data.assignment(treatment).name() + " does not change it" + where);
        }
    }

    private TreatmentEstimate of(
            int treatment,
            double theta,
            double[] influence,
            ScoreElements score,
            ScoreElements.Predictions predictions,
            SampleSums sums) {
        double size = sums.effectiveSize();
        double variance = sums.product(influence, influence) / size;
        double scale = Double.NaN;
        double scaleVariance = Double.NaN;
        double covariance = Double.NaN;
        if (specification.score().hasSensitivity()) {
            BiasScale bias =
                    BiasScale.of(
                            data,
                            specification.score(),
                            treatment,
                            theta,
                            predictions,
                            score,
                            sums);
            scale = bias.scale();
            scaleVariance = sums.product(bias.influence(), bias.influence()) / size;
            covariance = sums.product(influence, bias.influence()) / size;
        }
        double deviation = deviation(score.residuals());
        return new TreatmentEstimate(
                theta,
                Math.sqrt(variance),
                scale,
                scaleVariance,
                covariance,
                losses(treatment, theta, predictions, score),
                overlap(treatment, score),
                histogram(score.residuals(), deviation),
                deviation);
    }

    private double criticalValue(
            int repetition, double[][] influences, TreatmentEstimate[] estimates, SampleSums sums) {
        SplittableRandom random = Seeds.random(specification.seed(), 2, repetition);
        boolean clustered = !data.clusters().isEmpty();
        int[] unit = clustered ? data.clusters().get(0).values() : null;
        double[] weights = new double[clustered ? data.clusters().get(0).count() : data.size()];
        double[] weighted = new double[data.size()];
        double[] largest = new double[specification.draws()];
        for (int draw = 0; draw < largest.length; draw++) {
            for (int i = 0; i < weights.length; i++) {
                weights[i] = specification.multiplier().draw(random);
            }
            for (int t = 0; t < influences.length; t++) {
                for (int i = 0; i < weighted.length; i++) {
                    weighted[i] = weights[clustered ? unit[i] : i] * influences[t][i];
                }
                double value = Math.abs(sums.mean(weighted)) / estimates[t].standardError();
                largest[draw] = Math.max(largest[draw], value);
            }
        }
        return Quantiles.of(largest, specification.level());
    }

    private double[] losses(
            int treatment,
            double theta,
            ScoreElements.Predictions predictions,
            ScoreElements score) {
        List<NuisanceFunction> functions = fitting.functions();
        double[] losses = new double[functions.size()];
        double[] arm = data.assignment(treatment).values();
        for (int q = 0; q < losses.length; q++) {
            Nuisance nuisance = functions.get(q).kind();
            double[] observed = observed(functions.get(q), theta, treatment);
            boolean loss = nuisance == Nuisance.M && score.propensities() != null;
            double sum = 0;
            int count = 0;
            for (int i = 0; i < data.size(); i++) {
                boolean counts = nuisance.covers(arm[i]);
                if (loss) {
                    double m = score.propensities()[i];
                    sum -= Math.log(arm[i] == 1 ? m : 1 - m);
                } else if (counts) {
                    double error = observed[i] - predictions.at(q, i);
                    sum += error * error;
                }
                count += counts ? 1 : 0;
            }
            losses[q] = loss ? sum / count : Math.sqrt(sum / count);
        }
        return losses;
    }

    private double[] observed(NuisanceFunction function, double theta, int treatment) {
        double[] outcome = data.outcome().values();
        if (function.kind() != Nuisance.G) {
            return fitting.target(treatment, function, outcome);
        }
        double[] treated = data.treatments().get(treatment).values();
        double[] rest = new double[outcome.length];
        Arrays.setAll(rest, i -> outcome[i] - theta * treated[i]);
        return rest;
    }

    private int[] overlap(int treatment, ScoreElements score) {
        if (score.propensities() == null) {
            return new int[0];
        }
        int[] counts = new int[2 * OVERLAP_BINS];
        double[] arm = data.assignment(treatment).values();
        for (int i = 0; i < arm.length; i++) {
            int bin = Math.min(OVERLAP_BINS - 1, (int) (OVERLAP_BINS * score.propensities()[i]));
            counts[(arm[i] == 1 ? OVERLAP_BINS : 0) + bin]++;
        }
        return counts;
    }

    /** The standard deviation of values. */
    static double deviation(double[] values) {
        double mean = ScoreElements.mean(values);
        double sum = 0;
        for (double each : values) {
            sum += (each - mean) * (each - mean);
        }
        return Math.sqrt(sum / values.length);
    }

    private static int[] histogram(double[] values, double deviation) {
        int[] counts = new int[RESIDUAL_BINS];
        for (double each : values) {
            double place = deviation == 0 ? 0 : each / deviation / WIDEST;
            int bin = (int) Math.floor((place + 1) / 2 * RESIDUAL_BINS);
            counts[Math.max(0, Math.min(RESIDUAL_BINS - 1, bin))]++;
        }
        return counts;
    }
}
