package dev.levee.gar.attacks;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Indices by value. */
final class Ascending {
    private Ascending() {}

    /** The indices of the values from the least to the largest, equal ones in order; NaN last. */
    static int[] order(double[] values) {
        return IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> values[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
