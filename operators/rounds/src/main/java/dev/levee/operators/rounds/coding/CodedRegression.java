package dev.levee.operators.rounds.coding;

/**
 * Linear or logistic regression whose data stay where they are: a gradient Xᵀ(p − y) / N needs the
 * products X·w and Xᵀ·r only, with the fixed matrices X and Xᵀ, which n workers keep coded ({@link
 * CodedMatrix}). The data themselves are never sent, and any k answers to each product are enough.
 *
 * @param targets y, one for each row of X: numbers, or 0 and 1 for logistic regression
 * @param logistic true if p = 1 / (1 + exp(−X·w)), false if p = X·w
 * @param forward answers w with X·w
 * @param backward answers r with Xᵀ·r
 */
public record CodedRegression(
        float[] targets, boolean logistic, Product forward, Product backward) {
    /** A product with a fixed matrix, by whoever is quick enough. */
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
     * Steps of gradient descent.
     *
     * @param weights to begin with; not changed
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
