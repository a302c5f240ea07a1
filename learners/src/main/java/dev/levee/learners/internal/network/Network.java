package dev.levee.learners.internal.network;

import dev.levee.learners.FlatVector;
import dev.levee.learners.Layout;
import dev.levee.learners.Segment;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A network as an ordered list of named layers, from a sample to one logit per class. Does not
 * contain parameters, so it is small when serialized.
 */
public final class Network implements Serializable {
    private static final long serialVersionUID = 1;

    private final String name;
    private final int[] shape;
    private final int classes;
    private final List<Layer> layers;
    private final Layout layout;

    /**
     * Creates a network of the given layers.
     *
     * @param shape shape of one sample
     * @throws IllegalArgumentException if a layer does not accept the output of the layer before it
     */
    public Network(String name, int[] shape, int classes, List<Layer> layers) {
        this.name = name;
        this.shape = shape.clone();
        this.classes = classes;
        this.layers = List.copyOf(layers);
        int[] output = outputOf(this.layers, shape);
        if (output.length != 1 || output[0] != classes) {
            throw new IllegalArgumentException(
                    name + " ends in " + Arrays.toString(output) + " instead of " + classes);
        }
        layout = layout(this.layers);
    }

    /**
     * The layout of some layers' tensors in one flat vector.
     *
     * @throws ArithmeticException if they have more than 2^31 coordinates
     */
    public static Layout layout(List<Layer> layers) {
        List<Segment> segments = new ArrayList<>();
        int offset = 0;
        for (Parameter parameter : parameters(layers)) {
            Segment segment =
                    new Segment(parameter.name(), parameter.shape(), offset, parameter.trainable());
            segments.add(segment);
            offset = Math.addExact(offset, segment.length());
        }
        return new Layout(segments);
    }

    /**
     * Shape of the layers' output for a sample.
     *
     * @throws IllegalArgumentException if a layer does not accept the output of the layer before it
     */
    public static int[] outputOf(List<Layer> layers, int[] shape) {
        return Residual.through(layers, shape);
    }

    /** The network's name. */
    public String name() {
        return name;
    }

    /** Shape of one sample. */
    public int[] shape() {
        return shape.clone();
    }

    /** Number of classes. */
    public int classes() {
        return classes;
    }

    /** The layers in order. */
    public List<Layer> layers() {
        return layers;
    }

    private static List<Parameter> parameters(List<Layer> layers) {
        List<Parameter> all =
                layers.stream().flatMap(layer -> layer.parameters().stream()).toList();
        List<Parameter> ordered = new ArrayList<>();
        all.stream().filter(Parameter::trainable).forEach(ordered::add);
        all.stream().filter(parameter -> !parameter.trainable()).forEach(ordered::add);
        return ordered;
    }

    /** The layout of the network's tensors in one flat vector. */
    public Layout layout() {
        return layout;
    }

    /** Initial parameters; the same seed gives the same values. */
    public float[] initialParameters(long seed) {
        return initialParameters(layers, seed);
    }

    /** Initial parameters as a vector whose ranges are computed when they are read. */
    public FlatVector initial(long seed) {
        return new FlatVector() {
            @Override
            public int size() {
                return layout.size();
            }

            @Override
            public float[] range(int from, int length) {
                float[] values = new float[length];
                fill(layers, seed, from, values);
                return values;
            }
        };
    }

    /** Initial parameters of some layers, in the order of {@link #layout(List)}. */
    public static float[] initialParameters(List<Layer> layers, long seed) {
        float[] values = new float[layout(layers).size()];
        fill(layers, seed, 0, values);
        return values;
    }

    /**
     * Fills an array with a range of some layers' initial parameters; the range begins at {@code
     * from}.
     */
    private static void fill(List<Layer> layers, long seed, int from, float[] values) {
        int start = 0;
        for (Parameter parameter : parameters(layers)) {
            int end = start + length(parameter);
            if (end > from && start < from + values.length) {
                long key = CounterRandom.key(seed, parameter.name());
                int last = Math.min(end, from + values.length);
                for (int at = Math.max(start, from); at < last; at++) {
                    values[at - from] = parameter.initial().at(key, at - start);
                }
            }
            start = end;
        }
    }

    private static int length(Parameter parameter) {
        return new Segment(parameter.name(), parameter.shape(), 0, true).length();
    }

    @Override
    public String toString() {
        return name;
    }
}
