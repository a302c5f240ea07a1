package dev.levee.learners;

/**
 * How a model does on samples it was not trained on.
 *
 * @param samples number of samples
 * @param loss mean loss
 * @param accuracy share of samples classified correctly, 0 to 1
 */
public record Evaluation(int samples, double loss, double accuracy) {}
