package dev.levee.gar.rules;

import dev.levee.gar.Draws;
import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.PreAggregation;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;

import java.util.stream.IntStream;

/**
 * Shuffles the rows and makes of each s in turn their mean, ⌈n/s⌉ rows of which at most f hold a
 * Byzantine one (Karimireddy, He, Jaggi, "Byzantine-Robust Learning on Heterogeneous Datasets via
 * Bucketing", ICLR 2022, algorithm 1). The order is drawn from the seed and the round.
 *
 * @param s rows in a bucket, at least 1; the last bucket may hold fewer
 */
public record Bucketing(int s) implements PreAggregation {
    /** Domain of the draws, apart from those of others. */
    private static final long DOMAIN = 0x4255434B4554L;

    public Bucketing {
        if (s < 1) {
            throw new IllegalArgumentException("bucketing: s must be at least 1, got " + s);
        }
    }

    @Override
    public String name() {
        return "bucketing(" + s + ")";
    }

    @Override
    public Look look() {
        return Look.NOTHING;
    }

    @Override
    public int outputs(int rows) {
        return (rows + s - 1) / s;
    }

    @Override
    public RowMap map(Looked looked, Round round) {
        int n = round.rows();
        int[] order = order(n, Draws.key(DOMAIN, round.seed(), round.number()));
        double[][] weights = new double[outputs(n)][n];
        for (int b = 0; b < weights.length; b++) {
            int end = Math.min(n, (b + 1) * s);
            for (int k = b * s; k < end; k++) {
                weights[b][order[k]] = 1.0 / (end - b * s);
            }
        }
        return new RowMap(weights);
    }

    /** A permutation by Fisher and Yates. */
    private static int[] order(int n, long key) {
        int[] order = IntStream.range(0, n).toArray();
        for (int k = n - 1; k > 0; k--) {
            int other = (int) (Draws.uniform(key, k) * (k + 1));
            int kept = order[k];
            order[k] = order[other];
            order[other] = kept;
        }
        return order;
    }
}
