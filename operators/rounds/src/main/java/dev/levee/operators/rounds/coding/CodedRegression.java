package dev.levee.operators.rounds.coding;

/**
 * Linear or logistic regression on data that n workers keep coded ({@link CodedMatrix}). A gradient
 * Xᵀ(p − y) / N needs only the products X·w and Xᵀ·r with the fixed matrices X and Xᵀ. The data are
 * never sent, and any k answers to each product are enough.
 *
 * @param targets y, one for each row of X: numbers, or 0 and 1 for logistic regression
 * @param logistic true if p = 1 / (1 + exp(−X·w)), false if p = X·w
 * @param forward returns X·w for w
 * @param backward returns Xᵀ·r for r
 */
public record CodedRegression(
        float[] targets, boolean logistic, Product forward, Product backward) {
    /** Multiplies a fixed matrix by vectors, with the answers of the fastest workers. */
    @FunctionalInterface
    public interface Product {
        /** The matrix times a vector. */
        float[] times(float[] x);
    }

    /** The gradient of the mean loss (half the squared error, or the cross-entropy) at weights. */
    public float[] gradient(float[] weights) {
        float[] residuals = forward.times(weights);
        for (int i = 0; i < residuals.length; i++) {
            double predicted = logistic ? 1 / (1 + Math.exp(-(double) residuals[i])) : residuals[i];
            residuals[i] = (float) ((predicted - targets[i]) / targets.length);
        }
        return backward.times(residuals);
    }

    /**
     * Takes steps of gradient descent.
     *
     * @param weights the initial weights; not changed
     */
    public float[] descend(float[] weights, int steps, double learningRate) {
        float[] moved = weights.clone();
        for (int step = 0; step < steps; step++) {
            float[] gradient = gradient(moved);
            for (int i = 0; i < moved.length; i++) {
                moved[i] -= (float) (learningRate * gradient[i]);
            }
        }
        return moved;
    }
}
