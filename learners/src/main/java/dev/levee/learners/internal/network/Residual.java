package dev.levee.learners.internal.network;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A residual block, max(0, body(x) + shortcut(x)) (He et al., CVPR 2016).
 *
 * @param shortcut layers of the shortcut, empty for the identity
 */
public record Residual(String name, List<Layer> body, List<Layer> shortcut) implements Layer {
    public Residual {
        body = List.copyOf(body);
        shortcut = List.copyOf(shortcut);
    }

    @Override
    public List<Parameter> parameters() {
        return Stream.concat(body.stream(), shortcut.stream())
                .flatMap(layer -> layer.parameters().stream())
                .toList();
    }

    @Override
    public int[] output(int[] input) {
        int[] added = through(body, input);
        int[] carried = through(shortcut, input);
        if (!Arrays.equals(added, carried)) {
            throw new IllegalArgumentException(
                    "%s adds shapes %s and %s"
                            .formatted(name, Arrays.toString(added), Arrays.toString(carried)));
        }
        return added;
    }

    static int[] through(List<Layer> layers, int[] input) {
        int[] shape = input;
        for (Layer layer : layers) {
            shape = layer.output(shape);
        }
        return shape;
    }
}
