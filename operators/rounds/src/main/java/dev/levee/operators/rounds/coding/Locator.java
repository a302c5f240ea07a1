package dev.levee.operators.rounds.coding;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Finds the false answers to a circulant {@link Cyclic} code, as DRACO's cyclic decoder does (Chen,
 * Wang, Charles, Papailiopoulos, ICML 2018; Prony's method). The Fourier transform of B's columns
 * is zero at s successive frequencies. The transform of honest answers is zero at the same
 * frequencies, in every coordinate. The values at these frequencies, the syndromes, give the places
 * of f false answers: the places are roots of a polynomial whose coefficients annihilate the Hankel
 * matrix of the syndromes.
 *
 * <p>DRACO uses a random projection of the answers. This class projects them on each answer, by
 * their inner products, so nobody can choose a false answer that the projection hides. It always
 * leaves out f answers, false or not, so it needs no threshold.
 */
final class Locator {
    private final int workers;
    private final int first;
    private final int count;

    /**
     * Creates the locator of a circulant code.
     *
     * @param stragglers s; n − s is odd
     */
    Locator(int workers, int stragglers) {
        this.workers = workers;
        this.first = (workers - stragglers + 1) / 2;
        this.count = stragglers;
    }

    /**
     * Answers to leave out; if at most f answers are false, no false answer remains.
     *
     * @param answers workers that have answered, ascending, at least n − s + 2f
     * @param projections several vectors with one number for each answer, in order; each number is
     *     linear in the answer
     * @return f places in {@code answers}, ascending
     */
    int[] suspects(int[] answers, double[][] projections, int f) {
        Complex[] erased = erased(answers);
        int syndromes = count - (erased.length - 1);
        int rows = syndromes - f;
        Complex[][] hankel = new Complex[projections.length * rows][f + 1];
        for (int p = 0; p < projections.length; p++) {
            Complex[] syndrome = syndromes(answers, projections[p], erased);
            for (int row = 0; row < rows; row++) {
                System.arraycopy(syndrome, row, hankel[p * rows + row], 0, f + 1);
            }
        }
        Complex[] polynomial = nullVector(hankel);
        double[] values =
                Arrays.stream(answers)
                        .mapToDouble(worker -> at(polynomial, root(worker, 1)).abs())
                        .toArray();
        return IntStream.range(0, answers.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> values[i]).thenComparing(i -> i))
                .limit(f)
                .mapToInt(i -> i)
                .sorted()
                .toArray();
    }

    /**
     * The largest syndrome of answers, divided by the value that it would have if nothing canceled;
     * 0 up to rounding if all are honest.
     *
     * @param answers workers, ascending, at least one more than n − s
     */
    double inconsistency(int[] answers, double[][] projections) {
        Complex[] erased = erased(answers);
        double worst = 0;
        for (double[] projection : projections) {
            double whole = 0;
            for (int i = 0; i < answers.length; i++) {
                whole += Math.abs(projection[i]) * at(erased, root(answers[i], 1)).abs();
            }
            for (Complex each : syndromes(answers, projection, erased)) {
                worst = Math.max(worst, whole == 0 ? 0 : each.abs() / whole);
            }
        }
        return worst;
    }

    /** The polynomial whose roots belong to the workers that have not answered. */
    private Complex[] erased(int[] answers) {
        Complex[] polynomial = {Complex.ONE};
        for (int worker = 0; worker < workers; worker++) {
            if (Arrays.binarySearch(answers, worker) < 0) {
                Complex root = root(worker, 1);
                Complex[] longer = new Complex[polynomial.length + 1];
                Arrays.fill(longer, Complex.ZERO);
                for (int i = 0; i < polynomial.length; i++) {
                    longer[i + 1] = longer[i + 1].plus(polynomial[i]);
                    longer[i] = longer[i].minus(root.times(polynomial[i]));
                }
                polynomial = longer;
            }
        }
        return polynomial;
    }

    /** Syndromes that do not depend on which workers have not answered. */
    private Complex[] syndromes(int[] answers, double[] values, Complex[] erased) {
        Complex[] all = new Complex[count];
        for (int m = 0; m < count; m++) {
            Complex sum = Complex.ZERO;
            for (int i = 0; i < answers.length; i++) {
                sum = sum.plus(root(answers[i], first + m).times(values[i]));
            }
            all[m] = sum;
        }
        Complex[] left = new Complex[count - (erased.length - 1)];
        for (int m = 0; m < left.length; m++) {
            Complex sum = Complex.ZERO;
            for (int l = 0; l < erased.length; l++) {
                sum = sum.plus(erased[l].times(all[m + l]));
            }
            left[m] = sum;
        }
        return left;
    }

    /** exp(2πi · worker · frequency / n). */
    private Complex root(int worker, int frequency) {
        double angle = 2 * Math.PI * ((long) worker * frequency % workers) / workers;
        return new Complex(Math.cos(angle), Math.sin(angle));
    }

    private static Complex at(Complex[] polynomial, Complex x) {
        Complex value = Complex.ZERO;
        for (int i = polynomial.length - 1; i >= 0; i--) {
            value = value.times(x).plus(polynomial[i]);
        }
        return value;
    }

    /**
     * A vector in the null space of a matrix, or close to it, by Gaussian elimination of all
     * columns but one with complete pivoting. The matrix is overwritten.
     */
    private static Complex[] nullVector(Complex[][] matrix) {
        int columns = matrix[0].length;
        int[] order = IntStream.range(0, columns).toArray();
        int rank = 0;
        while (rank < columns - 1) {
            int[] pivot = largest(matrix, order, rank);
            if (matrix[pivot[0]][order[pivot[1]]].abs() == 0) {
                break;
            }
            Complex[] row = matrix[pivot[0]];
            matrix[pivot[0]] = matrix[rank];
            matrix[rank] = row;
            int column = order[pivot[1]];
            order[pivot[1]] = order[rank];
            order[rank] = column;
            for (int below = rank + 1; below < matrix.length; below++) {
                Complex factor = matrix[below][column].over(row[column]);
                for (int j = rank; j < columns; j++) {
                    int at = order[j];
                    matrix[below][at] = matrix[below][at].minus(factor.times(row[at]));
                }
            }
            rank++;
        }
        Complex[] vector = new Complex[columns];
        Arrays.fill(vector, Complex.ZERO);
        vector[order[columns - 1]] = Complex.ONE;
        for (int i = rank - 1; i >= 0; i--) {
            Complex sum = Complex.ZERO;
            for (int j = i + 1; j < columns; j++) {
                sum = sum.plus(matrix[i][order[j]].times(vector[order[j]]));
            }
            vector[order[i]] = Complex.ZERO.minus(sum.over(matrix[i][order[i]]));
        }
        return vector;
    }

    private static int[] largest(Complex[][] matrix, int[] order, int from) {
        int[] largest = {from, from};
        for (int row = from; row < matrix.length; row++) {
            for (int column = from; column < order.length; column++) {
                if (matrix[row][order[column]].abs()
                        > matrix[largest[0]][order[largest[1]]].abs()) {
                    largest = new int[] {row, column};
                }
            }
        }
        return largest;
    }

    private record Complex(double re, double im) {
        static final Complex ZERO = new Complex(0, 0);
        static final Complex ONE = new Complex(1, 0);

        Complex plus(Complex other) {
            return new Complex(re + other.re, im + other.im);
        }

        Complex minus(Complex other) {
            return new Complex(re - other.re, im - other.im);
        }

        Complex times(Complex other) {
            return new Complex(re * other.re - im * other.im, re * other.im + im * other.re);
        }

        Complex times(double factor) {
            return new Complex(re * factor, im * factor);
        }

        Complex over(Complex other) {
            double square = other.re * other.re + other.im * other.im;
            return new Complex(
                    (re * other.re + im * other.im) / square,
                    (im * other.re - re * other.im) / square);
        }

        double abs() {
            return Math.hypot(re, im);
        }
    }
}
