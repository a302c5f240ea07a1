package dev.levee.gar.rules;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Chooses rows by scores. A NaN counts as infinite, so that its row ranks last. */
final class Ranking {
    private Ranking() {}

    /** The {@code m} rows with the lowest scores, in order of rows. Ties go to the lowest rows. */
    static int[] least(double[] scores, int m) {
        return IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> worst(scores[i])))
                .mapToInt(Integer::intValue)
                .limit(m)
                .sorted()
                .toArray();
    }

    /** The number itself, infinity for NaN. */
    static double worst(double score) {
        return Double.isNaN(score) ? Double.POSITIVE_INFINITY : score;
    }

    /** The median; for an even number of values, the mean of the two middle ones. */
    static double median(double[] values) {
        double[] sorted = new double[values.length];
        Arrays.setAll(sorted, i -> worst(values[i]));
        Arrays.sort(sorted);
        double low = sorted[(sorted.length - 1) / 2];
        double high = sorted[sorted.length / 2];
        return low == high ? low : low + (high - low) / 2;
    }
}
