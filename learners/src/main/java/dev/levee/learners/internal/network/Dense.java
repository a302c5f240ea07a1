package dev.levee.learners.internal.network;

import java.util.Arrays;
import java.util.List;

/**
 * y = W·x + b with W of shape (outputs, inputs).
 *
 * @param weight the initial W
 * @param bias the initial b
 */
public record Dense(String name, int inputs, int outputs, InitialValues weight, InitialValues bias)
        implements Layer {
    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.trained(name + ".weight", weight, outputs, inputs),
                Parameter.trained(name + ".bias", bias, outputs));
    }

    @Override
    public int[] output(int[] input) {
        if (input.length != 1 || input[0] != inputs) {
            throw new IllegalArgumentException(
                    name + " takes " + inputs + " features, got " + Arrays.toString(input));
        }
        return new int[] {outputs};
    }
}
