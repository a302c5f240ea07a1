package dev.levee.estimation.learner;

/** A fitted model. */
@FunctionalInterface
public interface Predictor {
    /**
     * The model's value for each row.
     *
     * @param features any number of rows, with the p columns of the fit
     */
    double[] predict(double[][] features);
}
