package dev.levee.learners.internal.network;

import java.io.Serializable;
import java.util.List;

/**
 * One named step of a network. Shapes are those of one sample: (channels, height, width), or
 * (features) after flattening.
 */
public sealed interface Layer extends Serializable
        permits Activation, Concatenation, Convolution, Dense, Normalisation, Pooling, Residual {
    /** The layer's name, unique within the network. A network can be cut after any layer. */
    String name();

    /** The layer's tensors, in the order of the flat vector. */
    default List<Parameter> parameters() {
        return List.of();
    }

    /**
     * Shape of the output for an input of shape {@code input}.
     *
     * @throws IllegalArgumentException if the layer does not accept this input
     */
    int[] output(int[] input);
}
