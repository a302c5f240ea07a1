package dev.levee.learners.internal.network;

import java.util.Arrays;
import java.util.List;

/** Counts the values inside layers that a backward pass needs. */
public final class InnerOutputs {
    /**
     * Number of intermediate outputs: squares, their sums over channels, a root, the root's root,
     * and the product of both roots.
     */
    private static final int LOCAL_RESPONSE = 5;

    private InnerOutputs() {}

    /**
     * Number of values in all intermediate outputs of some layers, without the last output.
     *
     * @param input shape of one sample
     */
    public static long values(List<Layer> layers, int[] input) {
        int[] shape = input;
        long sum = 0;
        for (int i = 0; i < layers.size(); i++) {
            sum += inside(layers.get(i), shape);
            shape = layers.get(i).output(shape);
            if (i < layers.size() - 1) {
                sum += count(shape);
            }
        }
        return sum;
    }

    private static long inside(Layer layer, int[] input) {
        if (layer instanceof Residual block) {
            return branch(block.body(), input) + branch(block.shortcut(), input);
        }
        if (layer instanceof Concatenation block) {
            long sum = 0;
            int[] shape = input.clone();
            for (List<Layer> step : block.steps()) {
                sum += branch(step, shape);
                shape[0] += Residual.through(step, shape)[0];
                sum += count(shape);
            }
            return sum - count(shape);
        }
        if (layer instanceof Normalisation.LocalResponse) {
            return LOCAL_RESPONSE * count(input);
        }
        return 0;
    }

    /**
     * Number of values in a branch of a layer. It includes the branch's last output, which is also
     * an intermediate output.
     */
    private static long branch(List<Layer> layers, int[] input) {
        return layers.isEmpty()
                ? 0
                : values(layers, input) + count(Residual.through(layers, input));
    }

    private static long count(int[] shape) {
        return Arrays.stream(shape).asLongStream().reduce(1, (a, b) -> a * b);
    }
}
