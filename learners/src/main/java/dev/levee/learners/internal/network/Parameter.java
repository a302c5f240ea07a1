package dev.levee.learners.internal.network;

import java.io.Serializable;

/**
 * A tensor that belongs to a layer.
 *
 * @param name the layer's and the tensor's name
 * @param shape extents, row-major
 * @param initial the initial value
 * @param trainable false for a buffer
 */
public record Parameter(String name, long[] shape, InitialValues initial, boolean trainable)
        implements Serializable {
    static Parameter trained(String name, InitialValues initial, long... shape) {
        return new Parameter(name, shape, initial, true);
    }

    static Parameter buffer(String name, InitialValues initial, long... shape) {
        return new Parameter(name, shape, initial, false);
    }
}
