package dev.levee.learners.internal.network;

import java.util.List;
import java.util.stream.IntStream;

/** The built-in networks. */
public final class Architectures {
    private Architectures() {}

    /**
     * GARFIELD's MNIST_CNN. Despite its name, it has no convolution: its 79,510 parameters are
     * those of a fully connected network 784-100-10 with ReLU.
     *
     * @param shape shape of one sample, 784 values in all
     */
    public static Network mnistCnn(int[] shape, int classes) {
        if (IntStream.of(shape).asLongStream().reduce(1, (a, b) -> a * b) != 784) {
            throw wrongShape("mnist-cnn", "(1, 28, 28)", shape);
        }
        return new Network(
                "mnist-cnn",
                shape,
                classes,
                List.of(
                        new Activation.Flatten("flatten"),
                        new Dense("fc1", 784, 100, InitialValues.he(784), InitialValues.ZEROS),
                        new Activation.Relu("relu1"),
                        new Dense(
                                "fc2",
                                100,
                                classes,
                                InitialValues.glorot(100, classes),
                                InitialValues.ZEROS)));
    }

    /**
     * LeNet-5 (LeCun, Bottou, Bengio and Haffner 1998) as it is usually implemented today. It has
     * 61,706 parameters for 10 classes: a padded 5×5 convolution of 6 channels and a 5×5
     * convolution of 16 channels, each followed by ReLU and 2×2 maximum pooling, and dense layers
     * of 120 and 84 units.
     *
     * @param shape shape of one sample, (1, 28, 28)
     */
    public static Network leNet(int[] shape, int classes) {
        if (shape.length != 3 || shape[0] != 1 || shape[1] != 28 || shape[2] != 28) {
            throw wrongShape("lenet", "(1, 28, 28)", shape);
        }
        return new Network(
                "lenet",
                shape,
                classes,
                List.of(
                        new Convolution(
                                "conv1", 1, 6, 5, 1, 2, InitialValues.he(25), InitialValues.ZEROS),
                        new Activation.Relu("relu1"),
                        new Pooling.Max("pool1", 2, 2, 0),
                        new Convolution(
                                "conv2",
                                6,
                                16,
                                5,
                                1,
                                0,
                                InitialValues.he(150),
                                InitialValues.ZEROS),
                        new Activation.Relu("relu2"),
                        new Pooling.Max("pool2", 2, 2, 0),
                        new Activation.Flatten("flatten"),
                        new Dense("fc3", 400, 120, InitialValues.he(400), InitialValues.ZEROS),
                        new Activation.Relu("relu3"),
                        new Dense("fc4", 120, 84, InitialValues.he(120), InitialValues.ZEROS),
                        new Activation.Relu("relu4"),
                        new Dense(
                                "fc5",
                                84,
                                classes,
                                InitialValues.glorot(84, classes),
                                InitialValues.ZEROS)));
    }

    /**
     * CifarNet as TensorFlow-Slim's {@code cifarnet.py} defines it. It has 1,756,426 parameters for
     * 10 classes: padded 5×5 convolutions of 64 channels, 2×2 pooling, local response normalization
     * over 9 channels, and three dense layers with a dropout of one half after the first. Initial
     * values are those of {@code cifarnet.py}. The optimizer applies weight decay.
     */
    public static Network cifarNet(int[] shape, int classes) {
        if (shape.length != 3 || shape[0] != 3 || shape[1] != 32 || shape[2] != 32) {
            throw wrongShape("cifarnet", "(3, 32, 32)", shape);
        }
        InitialValues kernels = new InitialValues.TruncatedNormal(0.05);
        InitialValues weights = new InitialValues.TruncatedNormal(0.04);
        InitialValues tenth = new InitialValues.Constant(0.1f);
        return new Network(
                "cifarnet",
                shape,
                classes,
                List.of(
                        new Convolution("conv1", 3, 64, 5, 1, 2, kernels, InitialValues.ZEROS),
                        new Activation.Relu("relu1"),
                        new Pooling.Max("pool1", 2, 2, 0),
                        new Normalisation.LocalResponse("norm1", 64, 4, 1, 0.001 / 9),
                        new Convolution("conv2", 64, 64, 5, 1, 2, kernels, InitialValues.ZEROS),
                        new Activation.Relu("relu2"),
                        new Normalisation.LocalResponse("norm2", 64, 4, 1, 0.001 / 9),
                        new Pooling.Max("pool2", 2, 2, 0),
                        new Activation.Flatten("flatten"),
                        new Dense("fc3", 64 * 8 * 8, 384, weights, tenth),
                        new Activation.Relu("relu3"),
                        new Activation.Dropout("dropout3", 0.5),
                        new Dense("fc4", 384, 192, weights, tenth),
                        new Activation.Relu("relu4"),
                        new Dense(
                                "logits",
                                192,
                                classes,
                                new InitialValues.TruncatedNormal(1 / 192.0),
                                InitialValues.ZEROS)));
    }

    static IllegalArgumentException wrongShape(String name, String takes, int[] shape) {
        StringBuilder has = new StringBuilder();
        for (int extent : shape) {
            has.append(has.isEmpty() ? "" : ", ").append(extent);
        }
        return new IllegalArgumentException(
                name + " takes " + takes + " samples, the data set has (" + has + ")");
    }
}
