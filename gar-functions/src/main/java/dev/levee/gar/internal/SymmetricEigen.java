package dev.levee.gar.internal;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Eigenvalues and eigenvectors of a small dense symmetric matrix, by Jacobi's cyclic rotations: of
 * all methods the one whose vectors stay orthogonal to the last bits. Only additions,
 * multiplications, divisions and square roots are used, in a fixed order, so every machine finds
 * the same bits. Takes O(n³) per sweep and six to ten sweeps.
 *
 * @param values n eigenvalues, the largest first
 * @param vectors n eigenvectors of length 1, {@code vectors[k]} that of {@code values[k]}; the
 *     component of largest magnitude, of equal ones the first, is positive
 */
public record SymmetricEigen(double[] values, double[][] vectors) {
    private static final int SWEEPS = 60;

    /** Relative to the Frobenius norm, what is left beside the diagonal at the end. */
    private static final double TOLERANCE = 0x1p-54;

    /**
     * Decomposes a matrix.
     *
     * @param matrix n rows of n finite numbers, symmetric; only the upper triangle is read
     * @throws IllegalArgumentException if an entry is not finite
     */
    public static SymmetricEigen of(double[][] matrix) {
        int n = matrix.length;
        double[][] a = new double[n][];
        int exponent = scaled(matrix, a);
        double[][] v = new double[n][n];
        for (int i = 0; i < n; i++) {
            v[i][i] = 1;
        }
        double small = TOLERANCE * frobenius(a) / Math.max(1, n);
        for (int sweep = 0; sweep < SWEEPS && sweep(a, v, small); sweep++) {}
        double[][] vectors = new double[n][];
        double[] values = new double[n];
        int[] order =
                IntStream.range(0, n)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> -a[i][i]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        for (int k = 0; k < n; k++) {
            values[k] = Math.scalb(a[order[k]][order[k]], exponent);
            vectors[k] = v[order[k]];
            fixSign(vectors[k]);
        }
        return new SymmetricEigen(values, vectors);
    }

    /**
     * The largest eigenvalue alone: Householder's tridiagonal form, then bisection on Sturm counts.
     *
     * @param matrix as in {@link #of}; at least one row
     */
    public static double largest(double[][] matrix) {
        double[][] a = new double[matrix.length][];
        int exponent = scaled(matrix, a);
        return Math.scalb(Tridiagonal.of(a).largest(), exponent);
    }

    /** Fills in the lower triangle and divides by a power of two, whose exponent is returned. */
    private static int scaled(double[][] matrix, double[][] into) {
        int n = matrix.length;
        double largest = 0;
        for (int i = 0; i < n; i++) {
            into[i] = new double[n];
            for (int j = 0; j < n; j++) {
                double entry = j < i ? matrix[j][i] : matrix[i][j];
                if (!Double.isFinite(entry)) {
                    throw new IllegalArgumentException(
                            "eigenvalues need finite numbers, got "
                                    + entry
                                    + " at "
                                    + i
                                    + ", "
                                    + j);
                }
                into[i][j] = entry;
                largest = Math.max(largest, Math.abs(entry));
            }
        }
        int exponent = largest == 0 ? 0 : Math.getExponent(largest);
        for (double[] row : into) {
            for (int j = 0; j < n; j++) {
                row[j] = Math.scalb(row[j], -exponent);
            }
        }
        return exponent;
    }

    private static double frobenius(double[][] a) {
        double sum = 0;
        for (double[] row : a) {
            for (double x : row) {
                sum += x * x;
            }
        }
        return Math.sqrt(sum);
    }

    /** One rotation for each pair that is not small yet; false if there was none. */
    private static boolean sweep(double[][] a, double[][] v, double small) {
        boolean rotated = false;
        for (int p = 0; p < a.length; p++) {
            for (int q = p + 1; q < a.length; q++) {
                if (Math.abs(a[p][q]) > small) {
                    rotate(a, v, p, q);
                    rotated = true;
                }
            }
        }
        return rotated;
    }

    /** Makes a[p][q] zero. */
    private static void rotate(double[][] a, double[][] v, int p, int q) {
        double off = a[p][q];
        double half = (a[q][q] - a[p][p]) / (2 * off);
        double tangent = Math.copySign(1, half) / (Math.abs(half) + Math.sqrt(half * half + 1));
        double cosine = 1 / Math.sqrt(tangent * tangent + 1);
        double sine = tangent * cosine;
        double first = a[p][p] - tangent * off;
        double second = a[q][q] + tangent * off;
        turn(a[p], a[q], cosine, sine);
        for (int i = 0; i < a.length; i++) {
            a[i][p] = a[p][i];
            a[i][q] = a[q][i];
        }
        a[p][p] = first;
        a[q][q] = second;
        a[p][q] = 0;
        a[q][p] = 0;
        turn(v[p], v[q], cosine, sine);
    }

    private static void turn(double[] p, double[] q, double cosine, double sine) {
        for (int i = 0; i < p.length; i++) {
            double x = p[i];
            double y = q[i];
            p[i] = cosine * x - sine * y;
            q[i] = sine * x + cosine * y;
        }
    }

    private static void fixSign(double[] vector) {
        double largest = 0;
        for (double x : vector) {
            if (Math.abs(x) > Math.abs(largest)) {
                largest = x;
            }
        }
        if (largest < 0) {
            Arrays.setAll(vector, i -> -vector[i]);
        }
    }
}
