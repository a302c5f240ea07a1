package dev.levee.estimation.learner;

/** A fitted model. */
@FunctionalInterface
public interface Predictor {
    /**
     * The model's value for each row.
     *
     * @param features any number of rows of p numbers, as the model was fitted with
     */
    double[] predict(double[][] features);
}
