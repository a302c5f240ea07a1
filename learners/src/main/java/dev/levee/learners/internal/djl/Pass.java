package dev.levee.learners.internal.djl;

/**
 * The mode of layers in one pass.
 *
 * @param training true if dropout drops and batch statistics are used
 * @param seed of the random choices inside the model
 */
public record Pass(boolean training, long seed) {
    /** Nothing drops, and statistics are the stored ones. */
    public static final Pass EVALUATION = new Pass(false, 0);
}
