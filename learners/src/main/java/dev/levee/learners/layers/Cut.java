package dev.levee.learners.layers;

import java.io.Serializable;

/**
 * A place between two steps of a {@link LayeredNetwork}.
 *
 * @param layer index of the last layer that is completely before the cut, −1 if there is none
 * @param steps number of steps before the cut; if the cut is inside a layer, more than the steps of
 *     the layers up to {@code layer}
 */
public record Cut(int layer, int steps) implements Serializable {}
