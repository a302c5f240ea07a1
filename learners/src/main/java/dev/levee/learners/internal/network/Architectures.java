package dev.levee.learners.internal.network;

import java.util.List;

/** The built-in networks. */
public final class Architectures {
    private Architectures() {}

    /**
     * What GARFIELD calls MNIST_CNN: its 79,510 parameters are those of a fully connected network
     * 784-100-10 with ReLU, and that is what this is. No convolution is in it.
     *
     * @param shape shape of one sample, 784 values
     */
    public static Network mnistCnn(int[] shape, int classes) {
        return new Network(
                "mnist-cnn",
                shape,
                classes,
                List.of(
                        new Activation.Flatten("flatten"),
                        new Dense("fc1", 784, 100, Initial.he(784), Initial.ZEROS),
                        new Activation.Relu("relu1"),
                        new Dense(
                                "fc2", 100, classes, Initial.glorot(100, classes), Initial.ZEROS)));
    }
}
