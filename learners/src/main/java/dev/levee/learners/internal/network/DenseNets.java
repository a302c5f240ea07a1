package dev.levee.learners.internal.network;

import java.util.ArrayList;
import java.util.List;

/**
 * Densely connected networks (Huang et al., CVPR 2017) for images of at least 32×32. Layers, tensor
 * names and initial values are those of torchvision.
 */
public final class DenseNets {
    private static final int GROWTH = 32;

    /** Number of channels of a step's 1×1 convolution, as a multiple of the growth. */
    private static final int BOTTLENECK = 4;

    private static final int STEM = 64;

    private DenseNets() {}

    /** DenseNet-121: 7,978,856 trained parameters for 1000 classes. */
    public static Network denseNet121(int[] shape, int classes) {
        return build("densenet121", shape, classes, new int[] {6, 12, 24, 16});
    }

    private static Network build(String name, int[] shape, int classes, int[] depths) {
        if (shape.length != 3 || shape[0] != 3 || shape[1] < 32 || shape[2] < 32) {
            throw Architectures.wrongShape(name, "(3, H, W) with H, W ≥ 32", shape);
        }
        List<Layer> layers = new ArrayList<>();
        layers.add(convolution("features.conv0", 3, STEM, 7, 2));
        layers.add(new Normalisation.Batch("features.norm0", STEM));
        layers.add(new Activation.Relu("features.relu0"));
        layers.add(new Pooling.Max("features.pool0", 3, 2, 1));
        int channels = STEM;
        for (int stage = 1; stage <= depths.length; stage++) {
            layers.add(block("features.denseblock" + stage, channels, depths[stage - 1]));
            channels += depths[stage - 1] * GROWTH;
            if (stage < depths.length) {
                String transition = "features.transition" + stage;
                layers.add(new Normalisation.Batch(transition + ".norm", channels));
                layers.add(new Activation.Relu(transition + ".relu"));
                layers.add(convolution(transition + ".conv", channels, channels / 2, 1, 1));
                layers.add(new Pooling.Average(transition + ".pool", 2, 2));
                channels /= 2;
            }
        }
        layers.add(new Normalisation.Batch("features.norm5", channels));
        layers.add(new Activation.Relu("relu"));
        layers.add(new Pooling.GlobalAverage("avgpool"));
        InitialValues weight = new InitialValues.Uniform(1 / Math.sqrt(channels));
        layers.add(new Dense("classifier", channels, classes, weight, InitialValues.ZEROS));
        return new Network(name, shape, classes, layers);
    }

    private static Layer block(String name, int inputs, int depth) {
        List<List<Layer>> steps = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            String step = name + ".denselayer" + (i + 1);
            int channels = inputs + i * GROWTH;
            int width = BOTTLENECK * GROWTH;
            steps.add(
                    List.of(
                            new Normalisation.Batch(step + ".norm1", channels),
                            new Activation.Relu(step + ".relu1"),
                            convolution(step + ".conv1", channels, width, 1, 1),
                            new Normalisation.Batch(step + ".norm2", width),
                            new Activation.Relu(step + ".relu2"),
                            convolution(step + ".conv2", width, GROWTH, 3, 1)));
        }
        return new Concatenation(name, steps);
    }

    private static Layer convolution(String name, int inputs, int outputs, int kernel, int stride) {
        InitialValues weight = InitialValues.he((long) inputs * kernel * kernel);
        return new Convolution(name, inputs, outputs, kernel, stride, kernel / 2, weight, null);
    }
}
