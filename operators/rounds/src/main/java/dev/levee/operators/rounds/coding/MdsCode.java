package dev.levee.operators.rounds.coding;

import dev.levee.gar.Draws;

import java.io.Serializable;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * An (n, k) code of real numbers: it makes n coded blocks of k blocks, and any k coded blocks give
 * back all blocks (Lee, Lam, Pedarsani, Papailiopoulos, Ramchandran, "Speeding Up Distributed
 * Machine Learning Using Codes", 2018). The first k coded blocks are the blocks themselves; the
 * others are seeded Gaussian combinations: the best of {@value #DRAWS} draws by worst condition
 * number. Immutable.
 */
public final class MdsCode implements Serializable {
    /**
     * Largest accepted condition number of k rows of the generator; above it, float32 has too few
     * digits.
     */
    public static final double WORST_CONDITION = 1e6;

    /** With more sets of answers than this, the condition number is estimated from random sets. */
    public static final int MOST_SETS = 10_000;

    private static final long serialVersionUID = 1L;
    private static final int DRAWS = 8;
    private static final int SAMPLED = 1000;
    private static final int SAMPLED_OF_A_DRAW = 50;

    private final int needed;
    private final double[][] generator;
    private final double condition;

    private MdsCode(int needed, double[][] generator, int sampled) {
        this.needed = needed;
        this.generator = generator;
        this.condition = worst(sampled);
    }

    /**
     * The code of n workers of which any k are enough.
     *
     * @param n number of coded blocks
     * @param k number of blocks, 1 to n
     * @param seed the seed of the combinations
     * @throws IllegalArgumentException if n and k are invalid or the code loses too many digits;
     *     one sentence
     */
    public static MdsCode of(int n, int k, long seed) {
        if (k < 1 || k > n) {
            throw new IllegalArgumentException(
                    "an (n, k) code needs 1 ≤ k ≤ n, got n = %d and k = %d".formatted(n, k));
        }
        MdsCode best = null;
        for (int draw = 0; draw < (k == n ? 1 : DRAWS); draw++) {
            MdsCode code = new MdsCode(k, drawn(n, k, Draws.key(seed, draw)), SAMPLED_OF_A_DRAW);
            best = best == null || code.condition < best.condition ? code : best;
        }
        MdsCode code = new MdsCode(k, best.generator, SAMPLED);
        if (!(code.condition <= WORST_CONDITION)) {
            throw new IllegalArgumentException(
                    "a (%d, %d) code loses too many digits: the worst condition number is %.1e, at most %.0e is possible"
                            .formatted(n, k, code.condition, WORST_CONDITION));
        }
        return code;
    }

    private static double[][] drawn(int n, int k, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] generator = new double[n][k];
        for (int worker = 0; worker < n; worker++) {
            if (worker < k) {
                generator[worker][worker] = 1;
            } else {
                Arrays.setAll(generator[worker], j -> random.nextGaussian() / Math.sqrt(k));
            }
        }
        return generator;
    }

    /** Number of coded blocks, n. */
    public int workers() {
        return generator.length;
    }

    /** Number of answers that are enough, k. */
    public int needed() {
        return needed;
    }

    /** The k factors of the blocks in a coded block. */
    public double[] combination(int worker) {
        return generator[worker].clone();
    }

    /**
     * The worst condition number (largest divided by smallest singular value) of k rows of the
     * generator: of all sets of k rows if there are at most {@value #MOST_SETS}, otherwise of
     * {@value #SAMPLED} random sets.
     */
    public double condition() {
        return condition;
    }

    private double worst(int sampled) {
        int n = workers();
        double worst = 1;
        if (sets() <= (sampled == SAMPLED ? MOST_SETS : SAMPLED)) {
            int[] rows = IntStream.range(0, needed).toArray();
            while (rows != null) {
                worst = Math.max(worst, triangle(rows).condition());
                rows = following(rows, n);
            }
            return worst;
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < sampled; i++) {
            int[] order = Answers.drawn(random, n, needed);
            worst = Math.max(worst, triangle(Arrays.copyOf(order, needed)).condition());
        }
        return worst;
    }

    private double sets() {
        double sets = 1;
        for (int i = 1; i <= needed; i++) {
            sets = sets * (workers() - needed + i) / i;
        }
        return sets;
    }

    /** The next set in lexicographic order, null after the last. */
    private static int[] following(int[] set, int n) {
        int[] next = set.clone();
        for (int i = next.length - 1; i >= 0; i--) {
            if (next[i] < n - next.length + i) {
                next[i]++;
                for (int j = i + 1; j < next.length; j++) {
                    next[j] = next[j - 1] + 1;
                }
                return next;
            }
        }
        return null;
    }

    private Triangle triangle(int[] rows) {
        double[][] columns = new double[needed][];
        Arrays.setAll(columns, i -> generator[rows[i]].clone());
        return new Triangle(columns, new double[needed]);
    }

    /**
     * Encodes blocks.
     *
     * @param blocks k arrays of the same length
     * @return n arrays of that length, of which the first k are the given ones
     */
    public float[][] encode(float[][] blocks) {
        float[][] coded = new float[workers()][];
        for (int worker = 0; worker < coded.length; worker++) {
            coded[worker] = worker < needed ? blocks[worker] : combined(generator[worker], blocks);
        }
        return coded;
    }

    private static float[] combined(double[] factors, float[][] blocks) {
        float[] sum = new float[blocks[0].length];
        for (int i = 0; i < sum.length; i++) {
            double value = 0;
            for (int block = 0; block < blocks.length; block++) {
                value += factors[block] * blocks[block][i];
            }
            sum[i] = (float) value;
        }
        return sum;
    }

    /**
     * Decodes answers, in double precision.
     *
     * @param workers the workers of the answers, k different ones
     * @param answers in the order of {@code workers}, arrays of the same length
     * @return the k blocks
     */
    public float[][] decode(int[] workers, float[][] answers) {
        float[][] blocks = new float[needed][];
        for (int i = 0; i < workers.length; i++) {
            if (workers[i] < needed) {
                blocks[workers[i]] = answers[i];
            }
        }
        int[] missing = IntStream.range(0, needed).filter(b -> blocks[b] == null).toArray();
        int[] coded =
                IntStream.range(0, workers.length).filter(i -> workers[i] >= needed).toArray();
        double[][] weights = weights(missing, coded, workers);
        float[][] found = new float[missing.length][];
        for (int i = 0; i < missing.length; i++) {
            double[] factors = new double[needed + coded.length];
            float[][] sources = new float[factors.length][];
            for (int c = 0; c < coded.length; c++) {
                factors[needed + c] = weights[i][c];
                sources[needed + c] = answers[coded[c]];
                for (int block = 0; block < needed; block++) {
                    factors[block] -=
                            blocks[block] == null
                                    ? 0
                                    : weights[i][c] * generator[workers[coded[c]]][block];
                }
            }
            System.arraycopy(blocks, 0, sources, 0, needed);
            for (int block : missing) {
                sources[block] = answers[coded[0]]; // its factor is 0
            }
            found[i] = combined(factors, sources);
        }
        for (int i = 0; i < missing.length; i++) {
            blocks[missing[i]] = found[i];
        }
        return blocks;
    }

    /**
     * The weights of the coded blocks for each missing block, after the known blocks are
     * subtracted.
     */
    private double[][] weights(int[] missing, int[] coded, int[] workers) {
        double[][] weights = new double[missing.length][];
        for (int i = 0; i < missing.length; i++) {
            // Σ weight · G[worker][block] is 1 for the wanted block and 0 for the other missing
            // ones.
            double[][] columns = new double[coded.length][missing.length];
            for (int c = 0; c < coded.length; c++) {
                for (int j = 0; j < missing.length; j++) {
                    columns[c][j] = generator[workers[coded[c]]][missing[j]];
                }
            }
            double[] unit = new double[missing.length];
            unit[i] = 1;
            weights[i] = new Triangle(columns, unit).solution();
        }
        return weights;
    }
}
