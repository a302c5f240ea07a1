package dev.levee.learners.internal.network;

import java.util.List;

/**
 * A dense block (Huang et al., CVPR 2017): each step takes all channels so far and appends its own
 * channels to them, x ← concat(x, step(x)).
 *
 * @param steps layers of each step, in order
 */
public record Concatenation(String name, List<List<Layer>> steps) implements Layer {
    public Concatenation {
        steps = steps.stream().map(List::copyOf).toList();
    }

    @Override
    public List<Parameter> parameters() {
        return steps.stream()
                .flatMap(List::stream)
                .flatMap(layer -> layer.parameters().stream())
                .toList();
    }

    @Override
    public int[] output(int[] input) {
        int[] shape = input.clone();
        for (List<Layer> step : steps) {
            int[] added = Residual.through(step, shape);
            if (added.length != 3 || added[1] != shape[1] || added[2] != shape[2]) {
                throw new IllegalArgumentException(
                        name + " appends channels of a different size from its input's");
            }
            shape = new int[] {shape[0] + added[0], shape[1], shape[2]};
        }
        return shape;
    }
}
