package dev.levee.operators.rounds.coding;

import java.io.Serializable;
import java.util.Arrays;

/**
 * An encoding matrix B for n workers and n shares of the data: worker i computes the gradients g_j
 * of the s + 1 shares j of its row and sends Σ_j B_ij g_j (Tandon, Lei, Dimakis, Karampatziakis,
 * "Gradient Coding", ICML 2017). Immutable.
 */
public sealed interface GradientCode extends Serializable permits Fractional, Cyclic, Approximate {
    /** The text that {@link Coding#parse} reads, such as {@code cyclic(2)}. */
    String name();

    /** Number of workers, and of shares, n. */
    int workers();

    /** Number of workers that may be missing in a round, s. */
    int stragglers();

    /** The s + 1 shares that a worker computes, in the order of computation. */
    int[] shares(int worker);

    /** Factors of the gradients of {@link #shares}, in the same order. */
    double[] coefficients(int worker);

    /**
     * Computes weights that decode some workers' answers.
     *
     * @param answers the workers that have answered, ascending, at least one
     */
    Decoding decode(int[] answers);

    /** The fewest answers from which the code decodes. */
    default int fewestAnswers() {
        return workers() - stragglers();
    }

    /** The code that decodes from n − s answers: itself, or the one that it approximates. */
    default GradientCode exact() {
        return this;
    }

    /** B, n × n. */
    default double[][] matrix() {
        double[][] matrix = new double[workers()][workers()];
        for (int worker = 0; worker < matrix.length; worker++) {
            int[] shares = shares(worker);
            double[] coefficients = coefficients(worker);
            for (int k = 0; k < shares.length; k++) {
                matrix[worker][shares[k]] = coefficients[k];
            }
        }
        return matrix;
    }

    /** ‖aB − 1‖² / n for weights a of answers. */
    default double residual(int[] answers, double[] weights) {
        double[] sums = new double[workers()];
        Arrays.fill(sums, -1);
        for (int i = 0; i < answers.length; i++) {
            int[] shares = shares(answers[i]);
            double[] coefficients = coefficients(answers[i]);
            for (int k = 0; k < shares.length; k++) {
                sums[shares[k]] += weights[i] * coefficients[k];
            }
        }
        return Arrays.stream(sums).map(each -> each * each).sum() / workers();
    }
}
