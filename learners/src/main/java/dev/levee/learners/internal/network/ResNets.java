package dev.levee.learners.internal.network;

import java.util.ArrayList;
import java.util.List;

/**
 * Residual networks (He et al., CVPR 2016) for images of at least 32×32. They have a 7×7 stem and
 * four stages; a bottleneck has its stride in the 3×3 convolution. Layers, tensor names and initial
 * values are those of torchvision, so that torchvision's weights fit.
 */
public final class ResNets {
    private static final int[] WIDTHS = {64, 128, 256, 512};

    private ResNets() {}

    /**
     * ResNet-18, with 11,689,512 trained parameters for 1000 classes and 11,181,642 for 10 classes.
     */
    public static Network resNet18(int[] shape, int classes) {
        return build("resnet18", shape, classes, new int[] {2, 2, 2, 2}, false);
    }

    /**
     * ResNet-50, with 25,557,032 trained parameters for 1000 classes and 23,528,522 for 10 classes.
     */
    public static Network resNet50(int[] shape, int classes) {
        return build("resnet50", shape, classes, new int[] {3, 4, 6, 3}, true);
    }

    private static Network build(
            String name, int[] shape, int classes, int[] depths, boolean bottleneck) {
        if (shape.length != 3 || shape[0] != 3 || shape[1] < 32 || shape[2] < 32) {
            throw Architectures.wrongShape(name, "(3, H, W) with H, W ≥ 32", shape);
        }
        List<Layer> layers = new ArrayList<>();
        layers.add(convolution("conv1", 3, 64, 7, 2));
        layers.add(new Normalisation.Batch("bn1", 64));
        layers.add(new Activation.Relu("relu"));
        layers.add(new Pooling.Max("maxpool", 3, 2, 1));
        int channels = 64;
        for (int stage = 0; stage < WIDTHS.length; stage++) {
            for (int i = 0; i < depths[stage]; i++) {
                int stride = i == 0 && stage > 0 ? 2 : 1;
                int outputs = WIDTHS[stage] * (bottleneck ? 4 : 1);
                String block = "layer" + (stage + 1) + "." + i;
                layers.add(
                        new Residual(
                                block,
                                bottleneck
                                        ? bottleneck(block, channels, WIDTHS[stage], stride)
                                        : basic(block, channels, WIDTHS[stage], stride),
                                shortcut(block, channels, outputs, stride)));
                channels = outputs;
            }
        }
        layers.add(new Pooling.GlobalAverage("avgpool"));
        InitialValues dense = new InitialValues.Uniform(1 / Math.sqrt(channels));
        layers.add(new Dense("fc", channels, classes, dense, dense));
        return new Network(name, shape, classes, layers);
    }

    private static List<Layer> basic(String block, int inputs, int width, int stride) {
        return List.of(
                convolution(block + ".conv1", inputs, width, 3, stride),
                new Normalisation.Batch(block + ".bn1", width),
                new Activation.Relu(block + ".relu1"),
                convolution(block + ".conv2", width, width, 3, 1),
                new Normalisation.Batch(block + ".bn2", width));
    }

    private static List<Layer> bottleneck(String block, int inputs, int width, int stride) {
        return List.of(
                convolution(block + ".conv1", inputs, width, 1, 1),
                new Normalisation.Batch(block + ".bn1", width),
                new Activation.Relu(block + ".relu1"),
                convolution(block + ".conv2", width, width, 3, stride),
                new Normalisation.Batch(block + ".bn2", width),
                new Activation.Relu(block + ".relu2"),
                convolution(block + ".conv3", width, 4 * width, 1, 1),
                new Normalisation.Batch(block + ".bn3", 4 * width));
    }

    private static List<Layer> shortcut(String block, int inputs, int outputs, int stride) {
        if (inputs == outputs && stride == 1) {
            return List.of();
        }
        return List.of(
                convolution(block + ".downsample.0", inputs, outputs, 1, stride),
                new Normalisation.Batch(block + ".downsample.1", outputs));
    }

    private static Layer convolution(String name, int inputs, int outputs, int kernel, int stride) {
        InitialValues weight = InitialValues.he((long) outputs * kernel * kernel);
        return new Convolution(name, inputs, outputs, kernel, stride, kernel / 2, weight, null);
    }
}
