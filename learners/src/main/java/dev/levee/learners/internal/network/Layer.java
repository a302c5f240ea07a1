package dev.levee.learners.internal.network;

import java.io.Serializable;
import java.util.List;

/**
 * One named step of a network. Shapes are those of one sample: (channels, height, width), or
 * (features) once flattened.
 */
public sealed interface Layer extends Serializable
        permits Activation, Concatenation, Convolution, Dense, Normalisation, Pooling, Residual {
    /** Unique within the network; a network can be cut behind any layer. */
    String name();

    /** The layer's tensors, in the order in which they lie in the flat vector. */
    default List<Parameter> parameters() {
        return List.of();
    }

    /**
     * Shape of the output for an input of shape {@code input}.
     *
     * @throws IllegalArgumentException if the layer does not take such an input
     */
    int[] output(int[] input);
}
