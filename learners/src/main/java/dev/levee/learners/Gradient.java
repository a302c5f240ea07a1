package dev.levee.learners;

/**
 * What one worker computed on one batch.
 *
 * @param values the gradient of the mean loss for the trainable coordinates, followed by the new
 *     values of the buffers
 * @param loss mean loss of the batch before the step
 */
public record Gradient(float[] values, double loss) {}
