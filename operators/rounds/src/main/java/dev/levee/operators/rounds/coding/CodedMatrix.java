package dev.levee.operators.rounds.coding;

import java.util.Arrays;

/**
 * A fixed matrix A, coded so that any k of n workers suffice for a product A·x. A is cut into k
 * blocks of rows, and an {@link MdsCode} makes n coded blocks of them. Worker i keeps coded block i
 * and answers x with its product, a vector of ⌈rows / k⌉ numbers. Immutable; arrays are not to be
 * changed.
 *
 * @param code the code that combines the blocks
 * @param rows the rows of A
 * @param columns the columns of A
 * @param blocks for each worker ⌈rows / k⌉ rows, concatenated
 */
public record CodedMatrix(MdsCode code, int rows, int columns, float[][] blocks) {
    /** Codes a matrix; the last block is padded with zero rows. */
    public static CodedMatrix of(MdsCode code, float[][] matrix) {
        int columns = matrix[0].length;
        int height = height(code, matrix.length);
        float[][] plain = new float[code.needed()][height * columns];
        for (int row = 0; row < matrix.length; row++) {
            System.arraycopy(matrix[row], 0, plain[row / height], row % height * columns, columns);
        }
        return new CodedMatrix(code, matrix.length, columns, code.encode(plain));
    }

    /** Number of rows of a block, ⌈rows / k⌉. */
    public static int height(MdsCode code, int rows) {
        return (rows + code.needed() - 1) / code.needed();
    }

    /**
     * A worker's answer: its block times a vector, summed in double.
     *
     * @throws IllegalArgumentException if the vector is not as long as A's rows; one sentence
     */
    public float[] answer(int worker, float[] x) {
        require(x.length == columns, "the matrix has %d columns, the vector %d", columns, x.length);
        return product(blocks[worker], x);
    }

    /**
     * A block times a vector, summed in double.
     *
     * @param block concatenated rows, each as long as the vector
     * @throws IllegalArgumentException if the block is no such rows; one sentence
     */
    public static float[] product(float[] block, float[] x) {
        require(
                x.length > 0 && block.length % x.length == 0,
                "a block of %d numbers has no rows as long as a vector of %d",
                block.length,
                x.length);
        float[] product = new float[block.length / x.length];
        for (int row = 0; row < product.length; row++) {
            double sum = 0;
            for (int column = 0; column < x.length; column++) {
                sum += (double) block[row * x.length + column] * x[column];
            }
            product[row] = (float) sum;
        }
        return product;
    }

    /**
     * A·x from k answers.
     *
     * @param workers the workers of the answers, k different ones
     * @throws IllegalArgumentException if an answer has another length than ⌈rows / k⌉; one
     *     sentence
     */
    public float[] decode(int[] workers, float[][] answers) {
        return decode(code, rows, workers, answers);
    }

    /**
     * A·x from k answers, for callers that have the code but not the matrix.
     *
     * @param rows the rows of A
     * @throws IllegalArgumentException if an answer has another length than ⌈rows / k⌉; one
     *     sentence
     */
    public static float[] decode(MdsCode code, int rows, int[] workers, float[][] answers) {
        float[] product = new float[rows];
        int height = height(code, rows);
        for (float[] answer : answers) {
            require(
                    answer.length == height,
                    "an answer needs %d numbers, got %d",
                    height,
                    answer.length);
        }
        float[][] blocks = code.decode(workers, answers);
        for (int block = 0; block * height < rows; block++) {
            int from = block * height;
            System.arraycopy(blocks[block], 0, product, from, Math.min(height, rows - from));
        }
        return product;
    }

    private static void require(boolean condition, String problem, int... numbers) {
        if (!condition) {
            throw new IllegalArgumentException(
                    problem.formatted(Arrays.stream(numbers).boxed().toArray()));
        }
    }

    /** The transpose of a matrix; a gradient needs its products, too. */
    public static float[][] transposed(float[][] matrix) {
        float[][] transposed = new float[matrix[0].length][matrix.length];
        for (int row = 0; row < matrix.length; row++) {
            for (int column = 0; column < transposed.length; column++) {
                transposed[column][row] = matrix[row][column];
            }
        }
        return transposed;
    }

    /** Number of floats that all workers keep together: about n / k times those of A. */
    public long size() {
        return Arrays.stream(blocks).mapToLong(each -> each.length).sum();
    }
}
