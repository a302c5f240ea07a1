package dev.levee.federated.images;

import org.ojalgo.matrix.decomposition.Eigenvalue;
import org.ojalgo.matrix.store.MatrixStore;
import org.ojalgo.matrix.store.R064Store;

/**
 * The Fréchet distance of two sets of features, taken as normally distributed: ‖μ₁ − μ₂‖² + tr(Σ₁ +
 * Σ₂ − 2·√(Σ₁^½ Σ₂ Σ₁^½)), with unbiased covariances (Dowson and Landau 1982; on features of one
 * Inception-v3 it is the FID of Heusel et al., NeurIPS 2017). Smaller is more similar.
 */
final class FrechetDistance {
    private FrechetDistance() {}

    /** The distance; 0 if both are equal. */
    static double of(Moments one, Moments other) {
        double distance = 0;
        for (int i = 0; i < one.mean().length; i++) {
            double difference = one.mean()[i] - other.mean()[i];
            distance += difference * difference;
        }
        MatrixStore<Double> root = root(one.covariance());
        // This order makes the product symmetric, so its eigenvalues are real.
        double[] eigenvalues =
                eigenvalues(symmetric(root.multiply(other.covariance()).multiply(root)));
        double shared = 0;
        for (double each : eigenvalues) {
            shared += Math.sqrt(Math.max(0, each));
        }
        return distance + trace(one.covariance()) + trace(other.covariance()) - 2 * shared;
    }

    private static MatrixStore<Double> root(R064Store covariance) {
        Eigenvalue<Double> decomposition = Eigenvalue.R064.make(covariance, true);
        decompose(decomposition, covariance);
        MatrixStore<Double> vectors = decomposition.getV();
        R064Store roots = R064Store.FACTORY.make(covariance.countRows(), covariance.countRows());
        for (int i = 0; i < covariance.countRows(); i++) {
            // Rounding may give eigenvalues of a singular matrix slightly below 0.
            roots.set(i, i, Math.sqrt(Math.max(0, decomposition.getD().doubleValue(i, i))));
        }
        return vectors.multiply(roots).multiply(vectors.transpose());
    }

    private static double[] eigenvalues(R064Store matrix) {
        Eigenvalue<Double> decomposition = Eigenvalue.R064.make(matrix, true);
        decompose(decomposition, matrix);
        double[] values = new double[(int) matrix.countRows()];
        for (int i = 0; i < values.length; i++) {
            values[i] = decomposition.getD().doubleValue(i, i);
        }
        return values;
    }

    private static void decompose(Eigenvalue<Double> decomposition, R064Store matrix) {
        if (!decomposition.decompose(matrix)) {
            throw new IllegalArgumentException(
                    "a covariance has no eigenvalues: its features are not finite");
        }
    }

    /** Removes the asymmetry from rounding. */
    private static R064Store symmetric(MatrixStore<Double> matrix) {
        R064Store mean = R064Store.FACTORY.make(matrix.countRows(), matrix.countColumns());
        for (long i = 0; i < matrix.countRows(); i++) {
            for (long j = 0; j < matrix.countColumns(); j++) {
                mean.set(i, j, (matrix.doubleValue(i, j) + matrix.doubleValue(j, i)) / 2);
            }
        }
        return mean;
    }

    private static double trace(R064Store matrix) {
        double sum = 0;
        for (long i = 0; i < matrix.countRows(); i++) {
            sum += matrix.doubleValue(i, i);
        }
        return sum;
    }
}
