package dev.levee.federated.compression;

import dev.levee.gar.Draws;
import dev.levee.learners.Layout;
import dev.levee.learners.Segment;

import java.util.ArrayList;
import java.util.List;

/**
 * PowerSGD (Vogels, Karimireddy, Jaggi, "PowerSGD: Practical Low-Rank Gradient Compression for
 * Distributed Optimization", NeurIPS 2019, algorithm 1): each matrix M of a change is sent as P·Qᵀ,
 * where P is an orthonormal basis of M·Q with the previous round's Q, and the new Q is Mᵀ·P: one
 * step of the power iteration. The device keeps Q and the error, which it adds to its next change.
 * Vectors are sent uncompressed. In the paper, workers average P before they compute Q; here each
 * device sends its own factors, so that robust rules see its change.
 *
 * @param rank number of columns of the factors
 */
public record LowRank(int rank) implements Compression {
    static final int RANK = 2;

    private static final String FACTORS = "factors";

    @Override
    public String name() {
        return "powersgd(rank=%d)".formatted(rank);
    }

    /**
     * A tensor as a matrix: the first extent gives the rows, and the product of the others the
     * columns.
     */
    private record Matrix(int offset, int rows, int columns, int rank) {
        private int floats() {
            return rank * (rows + columns);
        }
    }

    /** The matrices whose factors are smaller than the matrix. */
    private List<Matrix> matrices(Layout layout) {
        List<Matrix> matrices = new ArrayList<>();
        for (Segment segment : layout.segments()) {
            int rows = segment.shape().length > 1 ? (int) segment.shape()[0] : 1;
            int columns = segment.length() / Math.max(1, rows);
            Matrix matrix =
                    new Matrix(
                            segment.offset(),
                            rows,
                            columns,
                            Math.min(rank, Math.min(rows, columns)));
            if (segment.trainable() && matrix.floats() < segment.length()) {
                matrices.add(matrix);
            }
        }
        return matrices;
    }

    @Override
    public long bytes(Layout layout) {
        long floats = layout.trainable();
        for (Matrix matrix : matrices(layout)) {
            floats += matrix.floats() - (long) matrix.rows() * matrix.columns();
        }
        return Float.BYTES * floats;
    }

    @Override
    public void apply(Change change) {
        float[] whole = change.withResidual();
        System.arraycopy(whole, 0, change.values(), 0, whole.length);
        List<Matrix> matrices = matrices(change.layout());
        int length = matrices.stream().mapToInt(each -> each.columns() * each.rank()).sum();
        float[] before = change.kept().get(FACTORS);
        float[] after = new float[length];
        int at = 0;
        for (Matrix matrix : matrices) {
            double[][] q = new double[matrix.rank()][];
            for (int k = 0; k < q.length; k++) {
                q[k] = column(change, before, at + k * matrix.columns(), matrix.columns());
            }
            factor(matrix, whole, q, change.values());
            for (double[] column : q) {
                for (double value : column) {
                    after[at++] = (float) value;
                }
            }
        }
        change.keeps().put(FACTORS, after);
        change.keepResidual(whole);
    }

    /** A column of the kept Q; a random one if there is none, or if it has only zeros. */
    private static double[] column(Change change, float[] before, int from, int length) {
        double[] column = new double[length];
        boolean zero = true;
        for (int j = 0; before != null && j < length; j++) {
            column[j] = before[from + j];
            zero &= column[j] == 0;
        }
        for (int j = 0; zero && j < length; j++) {
            column[j] = Draws.normal(change.key(), from + j);
        }
        return column;
    }

    /** Writes P·Qᵀ, and Q to {@code q}, by columns. */
    private static void factor(Matrix matrix, float[] whole, double[][] q, float[] values) {
        int rows = matrix.rows();
        int columns = matrix.columns();
        double[][] p = new double[matrix.rank()][rows];
        for (int k = 0; k < p.length; k++) {
            for (int i = 0; i < rows; i++) {
                double sum = 0;
                for (int j = 0; j < columns; j++) {
                    sum += whole[matrix.offset() + i * columns + j] * q[k][j];
                }
                p[k][i] = sum;
            }
        }
        orthonormalize(p);
        for (int k = 0; k < p.length; k++) {
            for (int j = 0; j < columns; j++) {
                double sum = 0;
                for (int i = 0; i < rows; i++) {
                    sum += whole[matrix.offset() + i * columns + j] * p[k][i];
                }
                q[k][j] = (float) sum;
            }
        }
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                double sum = 0;
                for (int k = 0; k < p.length; k++) {
                    sum += (float) p[k][i] * q[k][j];
                }
                values[matrix.offset() + i * columns + j] = (float) sum;
            }
        }
    }

    /** The Gram–Schmidt process; a column that depends on earlier ones becomes zero. */
    private static void orthonormalize(double[][] columns) {
        for (int k = 0; k < columns.length; k++) {
            double length = Math.sqrt(product(columns[k], columns[k]));
            for (int before = 0; before < k; before++) {
                double part = product(columns[k], columns[before]);
                for (int i = 0; i < columns[k].length; i++) {
                    columns[k][i] -= part * columns[before][i];
                }
            }
            double left = Math.sqrt(product(columns[k], columns[k]));
            for (int i = 0; i < columns[k].length; i++) {
                columns[k][i] = left > 1e-9 * length ? columns[k][i] / left : 0;
            }
        }
    }

    private static double product(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
