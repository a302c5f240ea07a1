package dev.levee.learners;

/**
 * The result of one worker on one batch.
 *
 * @param values the gradient of the mean loss for the trainable coordinates, followed by the new
 *     values of the buffers; who asked for it may change the array
 * @param loss mean loss of the batch before the step
 */
public record Gradient(float[] values, double loss) {}
