package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Draws;
import dev.levee.gar.LookResult;
import dev.levee.gar.PreAggregation;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Shuffles the rows and replaces each group of s by its mean: ⌈n/s⌉ rows, of which at most f
 * contain a Byzantine row (Karimireddy, He, Jaggi, "Byzantine-Robust Learning on Heterogeneous
 * Datasets via Bucketing", ICLR 2022, algorithm 1). The order is drawn from the seed and the round.
 *
 * @param s rows per bucket, at least 1; the last bucket may have fewer
 */
public record Bucketing(int s) implements PreAggregation {
    /** Separates these draws from others. */
    private static final long DOMAIN = 0x4255434B4554L;

    public Bucketing {
        Arguments.checkAtLeast("bucketing: s", 1, s);
    }

    @Override
    public String name() {
        return "bucketing(" + s + ")";
    }

    @Override
    public int outputs(int rows) {
        return rows / s + (rows % s == 0 ? 0 : 1);
    }

    @Override
    public boolean keepsSenders() {
        return false;
    }

    /** A bucket weighs as much as its rows; only the ratios of weights matter. */
    @Override
    public Round after(Round round) {
        int n = round.rows();
        Round buckets = new Round(outputs(n), round.f(), round.number(), round.seed());
        if (round.weights().length == 0) {
            return buckets;
        }
        double[] sums = sums(round, 1);
        if (!Double.isFinite(Arrays.stream(sums).max().orElseThrow())) {
            sums = sums(round, Arrays.stream(round.weights()).max().orElseThrow());
        }
        return buckets.withWeights(sums);
    }

    /** The weights of the buckets, divided by a number, but above 0. */
    private double[] sums(Round round, double by) {
        int[] order = order(round);
        return IntStream.range(0, outputs(round.rows()))
                .mapToDouble(
                        b ->
                                Arrays.stream(bucket(order, b))
                                        .mapToDouble(i -> round.weights()[i] / by)
                                        .sum())
                .map(sum -> Math.max(sum, Double.MIN_VALUE))
                .toArray();
    }

    @Override
    public boolean takesWeights() {
        return true;
    }

    @Override
    public RowMap map(LookResult looked, Round round) {
        int n = round.rows();
        int[] order = order(round);
        double[][] weights = new double[outputs(n)][n];
        for (int b = 0; b < weights.length; b++) {
            int[] rows = bucket(order, b);
            double[] shares = RowWeights.shares(rows, round);
            for (int k = 0; k < rows.length; k++) {
                weights[b][rows[k]] = shares[k];
            }
        }
        return new RowMap(weights);
    }

    private int[] bucket(int[] order, int b) {
        return Arrays.copyOfRange(order, b * s, Math.min(order.length, (b + 1) * s));
    }

    /** A permutation by Fisher and Yates. */
    private static int[] order(Round round) {
        long key = Draws.key(DOMAIN, round.seed(), round.number());
        int[] order = IntStream.range(0, round.rows()).toArray();
        for (int k = order.length - 1; k > 0; k--) {
            int other = (int) (Draws.uniform(key, k) * (k + 1));
            int kept = order[k];
            order[k] = order[other];
            order[other] = kept;
        }
        return order;
    }
}
