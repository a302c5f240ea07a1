package dev.levee.learners.internal.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Two-dimensional cross-correlation with square kernels and zero padding.
 *
 * @param kernel height and width of the kernel
 * @param padding zeros on each side
 * @param weight the initial kernels, of shape (outputs, inputs, kernel, kernel)
 * @param bias the initial bias, null for none
 */
public record Convolution(
        String name,
        int inputs,
        int outputs,
        int kernel,
        int stride,
        int padding,
        InitialValues weight,
        InitialValues bias)
        implements Layer {
    @Override
    public List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(
                Parameter.trained(name + ".weight", weight, outputs, inputs, kernel, kernel));
        if (bias != null) {
            parameters.add(Parameter.trained(name + ".bias", bias, outputs));
        }
        return parameters;
    }

    @Override
    public int[] output(int[] input) {
        if (input.length != 3 || input[0] != inputs) {
            throw new IllegalArgumentException(
                    name + " takes " + inputs + " channels, got " + Arrays.toString(input));
        }
        return new int[] {
            outputs,
            Pooling.extent(name, input[1], kernel, stride, padding),
            Pooling.extent(name, input[2], kernel, stride, padding)
        };
    }
}
