package dev.levee.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** The median of several measurements with their range. */
public record Spread(double median, double least, double most) {
    public static Spread of(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Spread(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }

    /** The middle value; of two middle ones, the larger. */
    public static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }

    public String text() {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median, least, most);
    }

    /** Formats the mean and standard error of values from several seeds. */
    public static String mean(List<Double> values) {
        double[] all = values.stream().mapToDouble(Double::doubleValue).toArray();
        double mean = Arrays.stream(all).average().orElseThrow();
        double squares = Arrays.stream(all).map(each -> (each - mean) * (each - mean)).sum();
        double error = Math.sqrt(squares / (all.length - 1.0) / all.length);
        return String.format(Locale.ROOT, "%.1f ± %.1f", mean, error);
    }
}
