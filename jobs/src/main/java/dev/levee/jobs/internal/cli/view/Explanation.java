package dev.levee.jobs.internal.cli.view;

import dev.levee.gar.Reduction;
import dev.levee.gar.Rule;
import dev.levee.gar.Step;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Prints which rows contributed to an aggregate, and the criteria of the rule. */
public record Explanation(Rule rule, int f, Step.Reduce step, float[][] rows) {
    public void print(PrintWriter err) {
        int n = rows.length;
        int[] used = IntStream.range(0, n).filter(step.map()::uses).toArray();
        err.printf(
                "%s with n = %d, f = %d: %s over %d row%s of %d (rows count from 0)%n",
                rule.name(),
                n,
                f,
                reduction(step.reduction()),
                step.map().outputs(),
                step.map().outputs() == 1 ? "" : "s",
                used.length);
        err.println(
                used.length == n
                        ? "rows used: all"
                        : "rows used: "
                                + Arrays.stream(used)
                                        .mapToObj(Integer::toString)
                                        .collect(Collectors.joining(" ")));
        boolean scored = step.scores().length == n;
        err.printf("%5s %12s%s%n", "row", "weight", scored ? " %14s".formatted("score") : "");
        for (int i = 0; i < n; i++) {
            err.printf(
                    Locale.ROOT,
                    "%5d %12.6g%s%n",
                    i,
                    weight(i),
                    scored ? " %14.6g".formatted(step.scores()[i]) : "");
        }
        rule.varianceFactor(n, f).ifPresent(factor -> variance(err, factor));
    }

    /** The share of a row in the rows that are reduced; the shares of all rows add up to 1. */
    private double weight(int row) {
        double sum = 0;
        for (double[] output : step.map().weights()) {
            sum += output[row];
        }
        return sum / step.map().outputs();
    }

    /** Prints the variance over all rows, because it is unknown which of them are honest. */
    private void variance(PrintWriter err, double factor) {
        int n = rows.length;
        int d = rows[0].length;
        double norm = 0;
        double spread = 0;
        for (int i = 0; i < d; i++) {
            double mean = 0;
            for (float[] row : rows) {
                mean += row[i] / n;
            }
            norm += mean * mean;
            for (float[] row : rows) {
                spread += (row[i] - mean) * (row[i] - mean);
            }
        }
        err.printf(
                Locale.ROOT,
                "variance condition over these rows: Δ·√E‖g − Eg‖² / ‖Eg‖ = %.4g · %.4g; below 1 it"
                        + " holds%n",
                factor,
                Math.sqrt(spread / Math.max(1, n - 1)) / Math.sqrt(norm));
    }

    private static String reduction(Reduction reduction) {
        if (reduction instanceof Reduction.Mean) {
            return "mean";
        } else if (reduction instanceof Reduction.Median median) {
            return median.lower() ? "lower median" : "median";
        } else if (reduction instanceof Reduction.TrimmedMean trimmed) {
            return "mean without " + trimmed.trim() + " values at each end";
        } else if (reduction instanceof Reduction.MeanAroundMedian around) {
            return "mean of the " + around.keep() + " values closest to the median";
        } else if (reduction instanceof Reduction.MeanAroundLowerMedian around) {
            return "mean of the " + around.keep() + " values closest to the lower median";
        } else if (reduction instanceof Reduction.MeanAroundTrimmedMean around) {
            return "mean of the " + around.keep() + " values closest to the trimmed mean";
        }
        return reduction.toString();
    }
}
