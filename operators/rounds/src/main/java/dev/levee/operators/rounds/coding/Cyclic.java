package dev.levee.operators.rounds.coding;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.Draws;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * The cyclic code: worker i computes the shares i, …, i + s mod n, and any n − s answers decode.
 *
 * <p>Where n − s is odd, B is the circulant matrix of the polynomial whose roots are the s n-th
 * roots of unity around −1 (a real cyclic MDS code: Raviv, Tamo, Tandon, Dimakis, "Gradient Coding
 * from Cyclic MDS Codes and Expander Graphs", 2018), which loses the fewest digits. Otherwise, B is
 * computed from a seeded Gaussian matrix H whose rows sum to zero (Tandon et al., Algorithm 2): the
 * best of {@value #DRAWS} draws by worst condition number.
 */
public final class Cyclic implements GradientCode {
    /**
     * Largest accepted condition number of n − s rows of B; above it, float32 has too few digits.
     */
    public static final double WORST_CONDITION = 1e6;

    private static final long serialVersionUID = 1L;
    private static final int DRAWS = 8;

    /** Number of random sets of answers whose condition number is computed. */
    private static final int SAMPLED = 200;

    private static final int SAMPLED_OF_A_DRAW = 10;

    private final int stragglers;
    private final double[][] coefficients;
    private final double condition;

    private Cyclic(double[][] coefficients, int sampled) {
        this.stragglers = coefficients[0].length - 1;
        this.coefficients = coefficients;
        this.condition = worst(sampled);
    }

    /**
     * The code for a number of workers.
     *
     * @param seed the seed of H, if the code needs it
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if it loses too many digits
     */
    public static Cyclic of(int workers, int stragglers, long seed) {
        double[][] coefficients =
                (workers - stragglers) % 2 == 1
                        ? circulant(workers, stragglers)
                        : drawn(workers, stragglers, seed);
        Cyclic code = new Cyclic(coefficients, SAMPLED);
        require(
                code.condition <= WORST_CONDITION,
                "{coding} cyclic(%s) of %s workers loses too many digits: the worst condition number"
                        + " of the sampled sets of answers is %s, at most %s is possible;"
                        + " fractional(s) loses none",
                stragglers,
                workers,
                "%.1e".formatted(code.condition),
                "%.0e".formatted(WORST_CONDITION));
        return code;
    }

    /**
     * The code that follows from a matrix H.
     *
     * @param h s × n numbers; each row sums to zero, and any s columns are independent
     */
    static Cyclic of(double[][] h) {
        return new Cyclic(coefficients(h), SAMPLED);
    }

    private static double[][] circulant(int workers, int stragglers) {
        double[] row = {1};
        double first = (workers - stragglers + 1) / 2.0;
        for (int k = 0; 2 * k < stragglers; k++) {
            double angle = 2 * Math.PI * (first + k) / workers;
            boolean own = 2 * k + 1 == stragglers; // −1 itself
            row = times(row, own ? new double[] {1, 1} : new double[] {1, -2 * Math.cos(angle), 1});
        }
        double sum = Arrays.stream(row).sum();
        double[] scaled = Arrays.stream(row).map(each -> each / sum).toArray();
        double[][] rows = new double[workers][];
        Arrays.fill(rows, scaled);
        return rows;
    }

    private static double[] times(double[] a, double[] b) {
        double[] product = new double[a.length + b.length - 1];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < b.length; j++) {
                product[i + j] += a[i] * b[j];
            }
        }
        return product;
    }

    private static double[][] drawn(int workers, int stragglers, long seed) {
        Cyclic best = null;
        for (int draw = 0; draw < DRAWS; draw++) {
            SplittableRandom random = new SplittableRandom(Draws.key(seed, draw));
            double[][] h = new double[stragglers][workers];
            for (double[] row : h) {
                Arrays.setAll(row, j -> random.nextGaussian());
                double mean = Arrays.stream(row).average().orElseThrow();
                Arrays.setAll(row, j -> row[j] - mean);
            }
            Cyclic code = new Cyclic(coefficients(h), SAMPLED_OF_A_DRAW);
            best = best == null || code.condition < best.condition ? code : best;
        }
        return best.coefficients;
    }

    /** Rows b of norm 1 with H·b = 0. */
    private static double[][] coefficients(double[][] h) {
        int s = h.length;
        int n = h[0].length;
        double[][] rows = new double[n][s + 1];
        for (int i = 0; i < n; i++) {
            double[][] columns = new double[s][s];
            double[] right = new double[s];
            for (int k = 0; k < s; k++) {
                right[k] = -h[k][i];
                for (int j = 0; j < s; j++) {
                    columns[j][k] = h[k][(i + 1 + j) % n];
                }
            }
            double[] rest = new Triangle(columns, right).solution();
            double norm = Math.sqrt(1 + Arrays.stream(rest).map(each -> each * each).sum());
            rows[i][0] = 1 / norm;
            for (int j = 0; j < s; j++) {
                rows[i][j + 1] = rest[j] / norm;
            }
        }
        return rows;
    }

    @Override
    public String name() {
        return "cyclic(" + stragglers + ")";
    }

    @Override
    public int workers() {
        return coefficients.length;
    }

    @Override
    public int stragglers() {
        return stragglers;
    }

    @Override
    public int[] shares(int worker) {
        return IntStream.rangeClosed(worker, worker + stragglers)
                .map(each -> each % workers())
                .toArray();
    }

    @Override
    public double[] coefficients(int worker) {
        return coefficients[worker].clone();
    }

    /** True if B is circulant, so a {@link Locator} can find false answers. */
    boolean circulant() {
        return (workers() - stragglers) % 2 == 1;
    }

    /** Uses the first n − s answers; with fewer, returns the least-squares approximation. */
    @Override
    public Decoding decode(int[] answers) {
        int[] used = Arrays.copyOf(answers, Math.min(answers.length, workers() - stragglers));
        double[] weights = Arrays.copyOf(triangle(used).solution(), answers.length);
        return new Decoding(weights, residual(answers, weights));
    }

    /**
     * The worst condition number (largest divided by smallest singular value) of n − s rows of B.
     * It covers the n sets of answers without s successive workers, one without s evenly spread
     * workers, and {@value #SAMPLED} random sets.
     */
    public double condition() {
        return condition;
    }

    private double worst(int sampled) {
        int n = workers();
        int step = stragglers == 0 ? 1 : n / stragglers;
        double worst = triangle(without(k -> k * step)).condition();
        for (int first = 0; first < n; first++) {
            int from = first;
            worst = Math.max(worst, triangle(without(k -> (from + k) % n)).condition());
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < sampled; i++) {
            int[] order = Answers.drawn(random, n, stragglers);
            worst = Math.max(worst, triangle(without(k -> order[k])).condition());
        }
        return worst;
    }

    private int[] without(IntUnaryOperator gone) {
        boolean[] missing = new boolean[workers()];
        for (int k = 0; k < stragglers; k++) {
            missing[gone.applyAsInt(k)] = true;
        }
        return IntStream.range(0, workers()).filter(i -> !missing[i]).toArray();
    }

    private Triangle triangle(int[] answers) {
        double[][] columns = new double[answers.length][workers()];
        for (int i = 0; i < answers.length; i++) {
            int[] shares = shares(answers[i]);
            for (int k = 0; k < shares.length; k++) {
                columns[i][shares[k]] = coefficients[answers[i]][k];
            }
        }
        double[] ones = new double[workers()];
        Arrays.fill(ones, 1);
        return new Triangle(columns, ones);
    }
}
