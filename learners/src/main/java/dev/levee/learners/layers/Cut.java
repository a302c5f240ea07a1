package dev.levee.learners.layers;

import java.io.Serializable;

/**
 * A place between two steps of a {@link LayeredNetwork}.
 *
 * @param layer index of the last layer that lies wholly before it, −1 for the place before all
 * @param steps number of steps before it; more than the layers up to {@code layer} have where a
 *     layer is cut inside
 */
public record Cut(int layer, int steps) implements Serializable {}
