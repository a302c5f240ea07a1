package dev.levee.learners.internal.djl;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;

import dev.levee.learners.internal.network.Activation;
import dev.levee.learners.internal.network.Concatenation;
import dev.levee.learners.internal.network.Convolution;
import dev.levee.learners.internal.network.Dense;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Normalisation;
import dev.levee.learners.internal.network.Pooling;
import dev.levee.learners.internal.network.Residual;

import java.util.List;
import java.util.Map;

/**
 * Computes each layer with the engine's operations. A result belongs to the manager of the
 * operation's first operand, which is always the manager of the step.
 */
final class LayerOperations {
    private static final Shape ONE = new Shape(1, 1);

    /** The engine's number for interpolation by the nearest value. */
    private static final int NEAREST = 0;

    private final DropoutMasks masks;
    private final ChannelWindows windows;

    LayerOperations(PtNDManager manager) {
        masks = new DropoutMasks(manager);
        windows = new ChannelWindows(manager);
    }

    PtNDArray apply(
            List<Layer> layers, PtNDArray input, Map<String, PtNDArray> tensors, Pass pass) {
        PtNDArray values = input;
        for (Layer layer : layers) {
            values = apply(layer, values, tensors, pass);
        }
        return values;
    }

    /**
     * Computes a layer in evaluation mode. Frees the input and the layer's intermediate results.
     *
     * @param step manager of the output
     */
    PtNDArray evaluate(
            Layer layer, PtNDArray input, Map<String, PtNDArray> tensors, PtNDManager step) {
        try (PtNDManager scope = step.newSubManager(step.getDevice())) {
            input.attach(scope);
            PtNDArray output = apply(layer, input, tensors, Pass.EVALUATION);
            output.attach(step);
            return output;
        }
    }

    private PtNDArray apply(
            Layer layer, PtNDArray input, Map<String, PtNDArray> tensors, Pass pass) {
        if (layer instanceof Dense) {
            return JniUtils.linear(
                    input,
                    tensors.get(layer.name() + ".weight"),
                    tensors.get(layer.name() + ".bias"));
        }
        if (layer instanceof Convolution convolution) {
            return JniUtils.convolution(
                    input,
                    tensors.get(layer.name() + ".weight"),
                    tensors.get(layer.name() + ".bias"),
                    square(convolution.stride()),
                    square(convolution.padding()),
                    ONE,
                    1);
        }
        if (layer instanceof Residual residual) {
            PtNDArray body = apply(residual.body(), input, tensors, pass);
            PtNDArray shortcut = apply(residual.shortcut(), input, tensors, pass);
            return JniUtils.relu(JniUtils.add(body, shortcut));
        }
        if (layer instanceof Concatenation concatenation) {
            PtNDArray values = input;
            for (List<Layer> step : concatenation.steps()) {
                values = append(values, apply(step, values, tensors, pass));
            }
            return values;
        }
        if (layer instanceof Pooling.Max max && !pass.training() && tiles(max, input.getShape())) {
            return largestOfTiles(max.kernel(), input);
        }
        if (layer instanceof Pooling pooling) {
            return pool(pooling, input);
        }
        if (layer instanceof Normalisation normalisation) {
            return normalise(normalisation, input, tensors, pass);
        }
        return activate((Activation) layer, input, pass);
    }

    private PtNDArray activate(Activation layer, PtNDArray input, Pass pass) {
        if (layer instanceof Activation.Relu) {
            return JniUtils.relu(input);
        }
        if (layer instanceof Activation.Flatten) {
            return input.getShape().dimension() == 2 ? input : JniUtils.flatten(input, 1, -1);
        }
        if (layer instanceof Activation.LeakyRelu leaky) {
            return JniUtils.leakyRelu(input, leaky.slope());
        }
        if (layer instanceof Activation.Tanh) {
            return JniUtils.tanh(input);
        }
        if (layer instanceof Activation.Unflatten shape) {
            long samples = input.getShape().get(0);
            return JniUtils.reshape(
                    input, new long[] {samples, shape.channels(), shape.height(), shape.width()});
        }
        if (layer instanceof Activation.Upsample upsample) {
            Shape shape = input.getShape();
            long[] size = {upsample.factor() * shape.get(2), upsample.factor() * shape.get(3)};
            return JniUtils.interpolate(input, size, NEAREST, false);
        }
        if (!pass.training()) {
            return input;
        }
        PtNDArray mask =
                layer instanceof Activation.ChannelDropout channels
                        ? masks.mask(channels, input, pass.seed())
                        : masks.mask((Activation.Dropout) layer, input, pass.seed());
        return JniUtils.mul(input, mask);
    }

    private static PtNDArray pool(Pooling layer, PtNDArray input) {
        if (layer instanceof Pooling.Max max) {
            return JniUtils.maxPool(
                    input,
                    square(max.kernel()),
                    square(max.stride()),
                    square(max.padding()),
                    false);
        }
        if (layer instanceof Pooling.Average average) {
            return JniUtils.avgPool(
                    input,
                    square(average.kernel()),
                    square(average.stride()),
                    square(0),
                    false,
                    true);
        }
        if (layer instanceof Pooling.AverageGrid grid) {
            return JniUtils.adaptiveAvgPool(input, square(grid.extent()));
        }
        return JniUtils.flatten(JniUtils.adaptiveAvgPool(input, ONE), 1, -1);
    }

    /** True if each value is in exactly one window. */
    private static boolean tiles(Pooling.Max layer, Shape input) {
        int kernel = layer.kernel();
        return kernel > 1
                && layer.stride() == kernel
                && layer.padding() == 0
                && input.get(2) % kernel == 0
                && input.get(3) % kernel == 0;
    }

    /**
     * Computes the largest values of windows that do not overlap, first over their rows, then over
     * their columns. It compares whole rows at a time, which takes an eighth of the time of the
     * engine's own pooling. Not for training, because its gradient would differ if values in a
     * window are equal.
     */
    private static PtNDArray largestOfTiles(int kernel, PtNDArray input) {
        PtNDArray values = input;
        for (int dimension = 2; dimension <= 3; dimension++) {
            long extent = values.getShape().get(dimension);
            PtNDArray largest = JniUtils.slice(values, dimension, 0, extent, kernel);
            for (int i = 1; i < kernel; i++) {
                PtNDArray next = JniUtils.slice(values, dimension, i, extent, kernel);
                largest = JniUtils.max(largest, next);
            }
            values = largest;
        }
        return values;
    }

    private static PtNDArray append(PtNDArray values, PtNDArray more) {
        return JniUtils.cat(new PtNDArray[] {values, more}, 1);
    }

    private PtNDArray normalise(
            Normalisation layer, PtNDArray input, Map<String, PtNDArray> tensors, Pass pass) {
        if (layer instanceof Normalisation.LocalResponse response) {
            PtNDArray sums = windows.sums(response, JniUtils.square(input));
            // Compute sums^0.75 by two square roots, which are correctly rounded and far cheaper
            // than a power.
            PtNDArray root = JniUtils.sqrt(sums);
            return JniUtils.div(input, JniUtils.mul(root, JniUtils.sqrt(root)));
        }
        // The engine takes running mean, running variance, scale, shift, whatever its parameters'
        // names are.
        return JniUtils.batchNorm(
                input,
                tensors.get(layer.name() + ".running_mean"),
                tensors.get(layer.name() + ".running_var"),
                tensors.get(layer.name() + ".weight"),
                tensors.get(layer.name() + ".bias"),
                pass.training(),
                Normalisation.Batch.MOMENTUM,
                ((Normalisation.Batch) layer).epsilon());
    }

    private static Shape square(int extent) {
        return new Shape(extent, extent);
    }
}
