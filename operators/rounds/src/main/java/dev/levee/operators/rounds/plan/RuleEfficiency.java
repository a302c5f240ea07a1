package dev.levee.operators.rounds.plan;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Draws;
import dev.levee.gar.Rule;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Measures the efficiency of a rule: the number of rows whose mean is as accurate as the rule's
 * aggregate. It is n for the mean, about 2n/π for the median, and 1 for Krum. The class aggregates
 * rows with a known mean and Gaussian noise, so it supports any rule and any chain of
 * pre-aggregations.
 */
final class RuleEfficiency {
    private static final int COORDINATES = 2048;

    private final Rule rule;
    private final IntUnaryOperator aggregated;
    private final IntUnaryOperator byzantine;
    private final Map<Integer, Double> known = new HashMap<>();

    /**
     * The efficiency of a round's rule.
     *
     * @param aggregated number of rows of a round, by its number of workers
     * @param byzantine number of faults that the round tolerates, by its number of workers
     */
    RuleEfficiency(Rule rule, IntUnaryOperator aggregated, IntUnaryOperator byzantine) {
        this.rule = rule;
        this.aggregated = aggregated;
        this.byzantine = byzantine;
    }

    /** The efficiency in rounds that use all rows, with a constant f. */
    RuleEfficiency(Rule rule, int f) {
        this(rule, n -> n, n -> f);
    }

    /**
     * The rule's efficiency in a round with this number of workers, in rows: from 1 to this number.
     */
    double rows(int workers) {
        int n = aggregated.applyAsInt(workers);
        return rule.averages() || n == 1
                ? n
                : known.computeIfAbsent(workers, each -> measure(n, byzantine.applyAsInt(each)));
    }

    private double measure(int n, int f) {
        float[][] rows = new float[n][COORDINATES];
        double[] mean = new double[COORDINATES];
        for (int row = 0; row < n; row++) {
            long key = Draws.key(n, row);
            for (int i = 0; i < COORDINATES; i++) {
                rows[row][i] = (float) (1 + Draws.normal(key, i));
                mean[i] += rows[row][i] / n;
            }
        }
        double[] alike = new double[rule.scores(n)];
        Arrays.fill(alike, 1);
        float[] aggregate =
                new Aggregator(rule, f, 0)
                        .aggregate(
                                rows,
                                round ->
                                        round.withWorkers(IntStream.range(0, n).toArray())
                                                .withScores(alike));
        double[] values = new double[COORDINATES];
        Arrays.setAll(values, i -> aggregate[i]);
        // Dividing by the mean's error on the same rows cancels most of the random variation.
        double worth = n * error(mean) / error(values);
        return Double.isNaN(worth) ? 1 : Math.max(1, Math.min(n, worth));
    }

    /**
     * The squared distance to the true mean after scaling to its length, because some rules return
     * shorter vectors.
     */
    private static double error(double[] values) {
        double length = Arrays.stream(values).average().orElse(0);
        return Arrays.stream(values).map(value -> value / length - 1).map(off -> off * off).sum();
    }
}
