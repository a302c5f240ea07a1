package dev.levee.gar.rules;

import dev.levee.gar.Round;
import dev.levee.gar.RowMap;

import java.util.Arrays;

/** Builds maps whose mean is a weighted mean of rows. Rows without weights count equally. */
final class RowWeights {
    private RowWeights() {}

    /**
     * A map whose outputs have, as their plain mean, the weighted mean of some rows.
     *
     * @param rows the rows, at least one
     */
    static RowMap select(int[] rows, Round round) {
        return scale(RowMap.select(rows, round.rows()), rows, round);
    }

    /**
     * Scales a map's outputs so that their plain mean is their weighted mean.
     *
     * @param map outputs to average
     * @param rows the row of each output
     */
    static RowMap scale(RowMap map, int[] rows, Round round) {
        if (round.weights().length == 0) {
            return map;
        }
        double[] counts = counts(rows, round);
        double mean = Arrays.stream(counts).sum() / rows.length;
        double[][] scaled = new double[rows.length][];
        for (int o = 0; o < rows.length; o++) {
            double share = counts[o] / mean;
            scaled[o] = Arrays.stream(map.weights()[o]).map(weight -> weight * share).toArray();
        }
        return new RowMap(scaled);
    }

    /** The normalized weights of some of the rows, which sum to 1. */
    static double[] shares(int[] rows, Round round) {
        double[] counts = counts(rows, round);
        double sum = Arrays.stream(counts).sum();
        return Arrays.stream(counts).map(count -> count / sum).toArray();
    }

    /** The weights of some rows divided by the largest of them, so that no sum overflows. */
    static double[] counts(int[] rows, Round round) {
        double[] counts = new double[rows.length];
        Arrays.fill(counts, 1);
        if (round.weights().length > 0) {
            double most = Arrays.stream(rows).mapToDouble(i -> round.weights()[i]).max().orElse(1);
            Arrays.setAll(counts, o -> round.weights()[rows[o]] / most);
        }
        return counts;
    }
}
