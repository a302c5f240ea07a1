package dev.levee.learners.internal.network;

import java.util.ArrayList;
import java.util.List;

/**
 * AlexNet (in the one-tower form of Krizhevsky 2014) and VGG (Simonyan and Zisserman, ICLR 2015).
 * They have convolutions, an average pool to a fixed size, and three dense layers. Layers, tensor
 * names and initial values are those of torchvision.
 */
public final class ConvolutionalNets {
    private static final int WIDTH = 4096;

    private static final int[][] VGG_11 = {{64}, {128}, {256, 256}, {512, 512}, {512, 512}};

    private static final int[][] VGG_19 = {
        {64, 64},
        {128, 128},
        {256, 256, 256, 256},
        {512, 512, 512, 512},
        {512, 512, 512, 512}
    };

    private ConvolutionalNets() {}

    /**
     * AlexNet, with 61,100,840 trained parameters for 1000 classes, for images of at least 63×63.
     */
    public static Network alexNet(int[] shape, int classes) {
        if (shape.length != 3 || shape[0] != 3 || shape[1] < 63 || shape[2] < 63) {
            throw Architectures.wrongShape("alexnet", "(3, H, W) with H, W ≥ 63", shape);
        }
        List<Layer> layers = new ArrayList<>();
        convolve(layers, uniform("features.0", 3, 64, 11, 4, 2));
        layers.add(new Pooling.Max("features.2", 3, 2, 0));
        convolve(layers, uniform("features.3", 64, 192, 5, 1, 2));
        layers.add(new Pooling.Max("features.5", 3, 2, 0));
        convolve(layers, uniform("features.6", 192, 384, 3, 1, 1));
        convolve(layers, uniform("features.8", 384, 256, 3, 1, 1));
        convolve(layers, uniform("features.10", 256, 256, 3, 1, 1));
        layers.add(new Pooling.Max("features.12", 3, 2, 0));
        layers.add(new Pooling.AverageGrid("avgpool", 6));
        layers.add(new Activation.Flatten("flatten"));
        layers.add(new Activation.Dropout("classifier.0", 0.5));
        layers.add(uniform("classifier.1", 256 * 6 * 6, WIDTH));
        layers.add(new Activation.Relu("classifier.2"));
        layers.add(new Activation.Dropout("classifier.3", 0.5));
        layers.add(uniform("classifier.4", WIDTH, WIDTH));
        layers.add(new Activation.Relu("classifier.5"));
        layers.add(uniform("classifier.6", WIDTH, classes));
        return new Network("alexnet", shape, classes, layers);
    }

    /**
     * VGG-11, with 132,863,336 trained parameters for 1000 classes, for images of at least 32×32.
     */
    public static Network vgg11(int[] shape, int classes) {
        return vgg("vgg11", shape, classes, VGG_11);
    }

    /**
     * VGG-19, with 143,667,240 trained parameters for 1000 classes, for images of at least 32×32.
     */
    public static Network vgg19(int[] shape, int classes) {
        return vgg("vgg19", shape, classes, VGG_19);
    }

    private static Network vgg(String name, int[] shape, int classes, int[][] stages) {
        if (shape.length != 3 || shape[0] != 3 || shape[1] < 32 || shape[2] < 32) {
            throw Architectures.wrongShape(name, "(3, H, W) with H, W ≥ 32", shape);
        }
        List<Layer> layers = new ArrayList<>();
        int channels = 3;
        for (int[] stage : stages) {
            for (int width : stage) {
                InitialValues weight = InitialValues.he((long) width * 3 * 3);
                String place = "features." + layers.size();
                convolve(
                        layers,
                        new Convolution(
                                place, channels, width, 3, 1, 1, weight, InitialValues.ZEROS));
                channels = width;
            }
            layers.add(new Pooling.Max("features." + layers.size(), 2, 2, 0));
        }
        layers.add(new Pooling.AverageGrid("avgpool", 7));
        layers.add(new Activation.Flatten("flatten"));
        layers.add(normal("classifier.0", channels * 7 * 7, WIDTH));
        layers.add(new Activation.Relu("classifier.1"));
        layers.add(new Activation.Dropout("classifier.2", 0.5));
        layers.add(normal("classifier.3", WIDTH, WIDTH));
        layers.add(new Activation.Relu("classifier.4"));
        layers.add(new Activation.Dropout("classifier.5", 0.5));
        layers.add(normal("classifier.6", WIDTH, classes));
        return new Network(name, shape, classes, layers);
    }

    private static void convolve(List<Layer> layers, Convolution convolution) {
        layers.add(convolution);
        layers.add(new Activation.Relu("features." + layers.size()));
    }

    /** A convolution with torch's default initialization. */
    private static Convolution uniform(
            String name, int inputs, int outputs, int kernel, int stride, int padding) {
        InitialValues initial = new InitialValues.Uniform(1 / Math.sqrt(inputs * kernel * kernel));
        return new Convolution(name, inputs, outputs, kernel, stride, padding, initial, initial);
    }

    /** A dense layer with torch's default initialization. */
    private static Dense uniform(String name, int inputs, int outputs) {
        InitialValues initial = new InitialValues.Uniform(1 / Math.sqrt(inputs));
        return new Dense(name, inputs, outputs, initial, initial);
    }

    private static Dense normal(String name, int inputs, int outputs) {
        return new Dense(
                name, inputs, outputs, new InitialValues.Normal(0.01), InitialValues.ZEROS);
    }
}
