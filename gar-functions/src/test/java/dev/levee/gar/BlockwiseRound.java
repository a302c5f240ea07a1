package dev.levee.gar;

import dev.levee.gar.block.BlockRows;
import dev.levee.gar.block.Blocks;
import dev.levee.gar.block.Span;

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
        BlockRows[] blocks = new BlockRows[Blocks.count(d)];
        Arrays.setAll(blocks, b -> new BlockRows(rows, b * Blocks.SIZE));
        Round round = new Round(n, f, 0, seed);
        Look look = rule.look();
        RowMap map = RowMap.identity(n, n);
        for (int phase = 0; ; phase++) {
            LookResult[] shares = new LookResult[blocks.length];
            for (int b = 0; b < blocks.length; b++) {
                shares[b] =
                        phase == 0 && look.incremental()
                                ? arriving(look, rows, b, span(b, d, round))
                                : BlockKernels.look(
                                        look,
                                        map,
                                        blocks[b],
                                        null,
                                        span(b, d, round),
                                        Blocks.length(b, d));
            }
            LookResult looked = BlockKernels.sum(shares);
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
        return round.span((long) block * Blocks.SIZE, d);
    }

    private static LookResult arriving(Look look, float[][] rows, int block, Span span) {
        int n = rows.length;
        int points = look.points(n);
        double[] distances = new double[look.distances() ? LookResult.pairs(points) : 0];
        double[] products = new double[look.products() ? LookResult.pairs(points) : 0];
        double[] signs = new double[look.signs() ? 3 * n : 0];
        BlockRows present = new BlockRows(new float[n][], block * Blocks.SIZE);
        int length = Blocks.length(block, rows[0].length);
        for (int row : Samples.permutation(new Random(block), n)) {
            double[] seen = BlockKernels.measure(look, rows[row], present, null, span, length);
            if (look.signs()) {
                System.arraycopy(seen, seen.length - 3, signs, 3 * row, 3);
            }
            int at = 0;
            for (int p = 0; p < points && !look.nothing(); p++) {
                int pair = LookResult.pair(Math.min(row, p), Math.max(row, p), points);
                boolean known = p >= n || present.arrays()[p] != null;
                if (look.distances()) {
                    double distance = seen[at++];
                    distances[known ? pair : 0] += known ? distance : 0;
                }
                if (look.products()) {
                    double product = seen[at++];
                    products[known ? pair : 0] += known ? product : 0;
                }
            }
            present.arrays()[row] = rows[row];
        }
        return new LookResult(points, distances, products, signs);
    }

    private static float[] reduce(
            Step.Reduce step, List<Reference> references, BlockRows[] blocks, int d) {
        float[] result = new float[d];
        for (int b = 0; b < blocks.length; b++) {
            int length = Blocks.length(b, d);
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
