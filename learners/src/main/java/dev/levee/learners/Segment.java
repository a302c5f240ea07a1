package dev.levee.learners;

import java.io.Serializable;

/**
 * A named tensor inside the flat parameter vector.
 *
 * @param name the layer's and the tensor's name, such as {@code conv1.weight}
 * @param shape extents, row-major
 * @param offset index of the first coordinate in the flat vector
 * @param trainable false for a buffer (BatchNorm statistics), which each round replaces instead of
 *     updating it by a step
 */
public record Segment(String name, long[] shape, int offset, boolean trainable)
        implements Serializable {
    /** Number of coordinates. */
    public int length() {
        int length = 1;
        for (long extent : shape) {
            length = Math.multiplyExact(length, Math.toIntExact(extent));
        }
        return length;
    }
}
