package dev.levee.learners.layers;

import dev.levee.learners.Model;
import dev.levee.learners.internal.djl.NetworkModel;
import dev.levee.learners.internal.network.Activation;
import dev.levee.learners.internal.network.Convolution;
import dev.levee.learners.internal.network.Dense;
import dev.levee.learners.internal.network.InitialValues;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Network;

import java.util.List;

/**
 * A small classifier of images. The inputs of its last layer are features with which sets of images
 * can be compared. It has two 3×3 convolutions of stride 2 with 16 and 32 channels, a dense layer
 * of 64 features, and a dense layer for the classes. ReLU follows all layers but the last.
 */
public final class FeatureClassifier {
    /** Number of features of an image. */
    public static final int FEATURES = 64;

    /** The name of the features in results. */
    public static final String NAME = "feature-cnn64";

    private static final int MICRO_BATCH = 64;

    private final Network network;

    private FeatureClassifier(Network network) {
        this.network = network;
    }

    /**
     * Creates a classifier for images of a shape.
     *
     * @param shape channels, height, width
     * @throws IllegalArgumentException if the shape is not that of an image; one sentence
     */
    public static FeatureClassifier of(int[] shape, int classes) {
        if (shape.length != 3) {
            throw new IllegalArgumentException(
                    "%s takes images of (channels, height, width), got samples of %s dimensions"
                            .formatted(NAME, shape.length));
        }
        int inputs = shape[0];
        int features = 32 * quarter(shape[1]) * quarter(shape[2]);
        List<Layer> layers =
                List.of(
                        convolution("conv1", inputs, 16),
                        new Activation.Relu("relu1"),
                        convolution("conv2", 16, 32),
                        new Activation.Relu("relu2"),
                        new Activation.Flatten("flatten"),
                        new Dense(
                                "features",
                                features,
                                FEATURES,
                                InitialValues.he(features),
                                InitialValues.ZEROS),
                        new Activation.Relu("relu3"),
                        new Dense(
                                "classes",
                                FEATURES,
                                classes,
                                InitialValues.glorot(FEATURES, classes),
                                InitialValues.ZEROS));
        return new FeatureClassifier(new Network(NAME, shape, classes, layers));
    }

    private static int quarter(int extent) {
        return (extent + 3) / 4;
    }

    private static Convolution convolution(String name, int inputs, int outputs) {
        InitialValues kernels = InitialValues.he(9L * inputs);
        return new Convolution(name, inputs, outputs, 3, 2, 1, kernels, InitialValues.ZEROS);
    }

    /** Shape of an image: channels, height, width. */
    public int[] shape() {
        return network.shape();
    }

    /** The model to train. */
    public Model model() {
        return new NetworkModel(network);
    }

    /**
     * Opens a forward pass that computes {@value #FEATURES} features per image; the caller closes
     * it.
     */
    public Forward newFeatures(float[] parameters) {
        return section(0, network.layers().size() - 1, network.shape(), parameters);
    }

    /**
     * Opens a forward pass that computes one logit per class from features; the caller closes it.
     */
    public Forward newClasses(float[] parameters) {
        int last = network.layers().size() - 1;
        return section(last, last + 1, new int[] {FEATURES}, parameters);
    }

    private Forward section(int from, int to, int[] input, float[] parameters) {
        Section section = new Section(network, from, to, input);
        return section.newForward(section.parameters(parameters), MICRO_BATCH);
    }
}
