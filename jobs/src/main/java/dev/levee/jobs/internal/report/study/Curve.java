package dev.levee.jobs.internal.report.study;

import dev.levee.learners.Score;

import org.apache.commons.math3.distribution.TDistribution;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The scores of cells that differ only in their seed.
 *
 * @param rounds the rounds of the evaluations
 * @param mean mean over the cells that have a model
 * @param reach half the width of the mean's 95 % confidence interval by Student's t; 0 for one cell
 * @param validation mean of the scores on the validation set; empty if the cells have none
 * @param cells number of cells
 * @param failed number of cells without a model
 * @param score name of the score
 */
record Curve(
        double[] rounds,
        double[] mean,
        double[] reach,
        double[] validation,
        int cells,
        int failed,
        String score) {
    private static final double UPPER = 0.975;

    static Curve of(List<CellResult> cells) {
        List<CellResult> complete = cells.stream().filter(CellResult::complete).toList();
        int points = complete.stream().mapToInt(each -> each.points().size()).min().orElse(0);
        double[] rounds = new double[points];
        double[] mean = new double[points];
        double[] reach = new double[points];
        int n = complete.size();
        double quantile = n < 2 ? 0 : new TDistribution(n - 1).inverseCumulativeProbability(UPPER);
        for (int i = 0; i < points; i++) {
            int point = i;
            double[] scores =
                    complete.stream()
                            .mapToDouble(each -> each.points().get(point).score())
                            .toArray();
            rounds[i] = complete.get(0).points().get(i).rounds();
            mean[i] = Arrays.stream(scores).average().orElse(Double.NaN);
            reach[i] = quantile * deviation(scores, mean[i]) / Math.sqrt(Math.max(1, n));
        }
        String score = complete.isEmpty() ? CellResult.LOSS : complete.get(0).score();
        return new Curve(
                rounds,
                mean,
                reach,
                validation(complete, points),
                cells.size(),
                cells.size() - n,
                score);
    }

    private static double[] validation(List<CellResult> complete, int points) {
        boolean validated =
                complete.stream()
                        .flatMap(each -> each.points().stream())
                        .allMatch(point -> point.validation() != null);
        return IntStream.range(0, validated ? points : 0)
                .mapToDouble(
                        point ->
                                complete.stream()
                                        .mapToDouble(each -> each.points().get(point).validation())
                                        .average()
                                        .orElse(Double.NaN))
                .toArray();
    }

    private static double deviation(double[] values, double mean) {
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
    }

    /**
     * The index of the evaluation that represents the curve; −1 if a cell failed.
     *
     * @param best true for the best evaluation, false for the last
     */
    int point(boolean best) {
        return failed > 0 ? -1 : point(mean, best);
    }

    private int point(double[] values, boolean best) {
        int chosen = best && values.length > 0 ? 0 : values.length - 1;
        for (int i = 0; best && i < values.length; i++) {
            chosen = better(score, values[i], values[chosen]) ? i : chosen;
        }
        return chosen;
    }

    /** The score of that evaluation, NaN if a cell failed. */
    double value(boolean best) {
        int point = point(best);
        return point < 0 ? Double.NaN : mean[point];
    }

    /**
     * The score for choosing learning rate and momentum: that of the validation set, or of the test
     * set if there is no validation set; NaN if a cell failed.
     */
    double criterion(boolean best) {
        return failed > 0 || validation.length == 0
                ? value(best)
                : validation[point(validation, best)];
    }

    /** True if a value is better than another; any number is better than NaN. */
    static boolean better(String score, double value, double other) {
        Optional<Score> known = CellResult.score(score);
        if (known.isPresent()) {
            return known.get().better(value, other);
        }
        return !Double.isNaN(value) && (Double.isNaN(other) || value < other);
    }
}
