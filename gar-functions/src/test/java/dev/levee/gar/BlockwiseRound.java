package dev.levee.gar;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Drives a rule as a distributed job does: each block on its own, rows measured as they arrive in
 * an order of their own per block, looks added up, the decision applied to each block.
 */
final class BlockwiseRound {
    private final Rule rule;
    private final int f;
    private final long seed;

    BlockwiseRound(Rule rule, int f, long seed) {
        this.rule = rule;
        this.f = f;
        this.seed = seed;
    }

    float[] aggregate(float[][] rows) {
        int n = rows.length;
        int d = rows[0].length;
        float[][][] blocks = new float[Blocks.count(d)][n][];
        for (int b = 0; b < blocks.length; b++) {
            int start = b * Blocks.SIZE;
            for (int r = 0; r < n; r++) {
                int end = start + Blocks.length(b, d);
                blocks[b][r] = Arrays.copyOfRange(rows[r], start, end);
            }
        }
        Round round = new Round(n, f, 0, seed);
        Look look = rule.look();
        RowMap map = RowMap.identity(n, n);
        for (int phase = 0; ; phase++) {
            Looked[] shares = new Looked[blocks.length];
            for (int b = 0; b < blocks.length; b++) {
                shares[b] =
                        phase == 0 && look.incremental()
                                ? arriving(look, blocks[b], b, span(b, d, round))
                                : BlockKernels.look(
                                        look,
                                        map,
                                        blocks[b],
                                        null,
                                        span(b, d, round),
                                        blocks[b][0].length);
            }
            Looked looked = BlockKernels.sum(shares);
            Step step = rule.decide(phase, map, looked, round, RuleState.NONE);
            if (step instanceof Step.LookAgain again) {
                map = again.map();
                look = again.look();
            } else {
                return reduce((Step.Reduce) step, look.references(), blocks, d);
            }
        }
    }

    private static Span span(int block, int d, Round round) {
        return Span.of((long) block * Blocks.SIZE, d, round);
    }

    private static Looked arriving(Look look, float[][] rows, int block, Span span) {
        int n = rows.length;
        int points = look.points(n);
        double[] distances = new double[look.distances() ? Looked.pairs(points) : 0];
        double[] products = new double[look.products() ? Looked.pairs(points) : 0];
        double[] signs = new double[look.signs() ? 3 * n : 0];
        float[][] present = new float[n][];
        for (int row : Samples.permutation(new Random(block), n)) {
            double[] seen =
                    BlockKernels.measure(look, rows[row], present, null, span, rows[row].length);
            if (look.signs()) {
                System.arraycopy(seen, seen.length - 3, signs, 3 * row, 3);
            }
            int at = 0;
            for (int p = 0; p < points && !look.nothing(); p++) {
                int pair = Looked.pair(Math.min(row, p), Math.max(row, p), points);
                boolean known = p >= n || present[p] != null;
                if (look.distances()) {
                    double distance = seen[at++];
                    distances[known ? pair : 0] += known ? distance : 0;
                }
                if (look.products()) {
                    double product = seen[at++];
                    products[known ? pair : 0] += known ? product : 0;
                }
            }
            present[row] = rows[row];
        }
        return new Looked(points, distances, products, signs);
    }

    private static float[] reduce(
            Step.Reduce step, List<Reference> references, float[][][] blocks, int d) {
        float[] result = new float[d];
        for (int b = 0; b < blocks.length; b++) {
            int length = blocks[b][0].length;
            float[] out = new float[length];
            int half = length / 2;
            for (int[] part : new int[][] {{0, half}, {half, length}}) {
                BlockKernels.reduce(
                        step.map(),
                        step.reduction(),
                        blocks[b],
                        null,
                        references,
                        part[0],
                        part[1],
                        out);
            }
            System.arraycopy(out, 0, result, b * Blocks.SIZE, length);
        }
        return result;
    }
}
