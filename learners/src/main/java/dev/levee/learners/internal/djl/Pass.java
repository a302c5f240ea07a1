package dev.levee.learners.internal.djl;

/**
 * The mode of layers in one pass.
 *
 * @param training true if dropout is active and batch statistics are used
 * @param seed seed of the random choices inside the model
 */
public record Pass(boolean training, long seed) {
    /**
     * Evaluation: dropout is inactive, and stored statistics are used. A model that draws
     * nevertheless draws the same each time.
     */
    public static final Pass EVALUATION = new Pass(false, 0);
}
