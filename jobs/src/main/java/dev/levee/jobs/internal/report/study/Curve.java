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
 * @param rounds at which they were evaluated
 * @param mean over the cells that have a model
 * @param reach half the width of the 95 % confidence interval of the mean by Student's t; 0 of one
 *     cell
 * @param validation mean of the scores on the validation set; empty if the cells have none
 * @param cells how many cells there are
 * @param failed how many of them have no model
 * @param score name of what is compared
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
     * The point that the curve counts by: the best, or the last; −1 if a cell has failed.
     *
     * @param best true if it is the best
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

    /** The score that the curve counts by, NaN if a cell has failed. */
    double value(boolean best) {
        int point = point(best);
        return point < 0 ? Double.NaN : mean[point];
    }

    /**
     * The criterion by which learning rate and momentum are chosen: the same on the validation set,
     * or on the test set if there is no validation set; NaN if a cell has failed.
     */
    double criterion(boolean best) {
        return failed > 0 || validation.length == 0
                ? value(best)
                : validation[point(validation, best)];
    }

    /** True if a value is better than another; any number is better than none. */
    static boolean better(String score, double value, double other) {
        Optional<Score> known = CellResult.score(score);
        if (known.isPresent()) {
            return known.get().better(value, other);
        }
        return !Double.isNaN(value) && (Double.isNaN(other) || value < other);
    }
}
