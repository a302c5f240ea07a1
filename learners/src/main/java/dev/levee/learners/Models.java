package dev.levee.learners;

import dev.levee.learners.internal.LogisticModel;
import dev.levee.learners.internal.network.Architectures;

/** Opens models by name. */
public final class Models {
    private Models() {}

    /**
     * A model by name: {@code logistic}, {@code mnist-cnn}, {@code cifarnet}, {@code resnet18},
     * {@code resnet50} or {@code file:PATH} of a TorchScript file.
     *
     * @param shape shape of one sample
     * @param classes number of classes
     * @throws IllegalArgumentException if the name is unknown or the model does not take samples of
     *     this shape
     */
    public static Model open(String name, int[] shape, int classes) {
        if (name.equals("logistic")) {
            int features = 1;
            for (int extent : shape) {
                features = Math.multiplyExact(features, extent);
            }
            return new LogisticModel(features, classes);
        }
        if (name.equals("mnist-cnn")) {
            return Architectures.mnistCnn(shape, classes);
        }
        throw new IllegalArgumentException(
                "unknown model "
                        + name
                        + "; known are logistic, mnist-cnn, cifarnet, resnet18, resnet50 and"
                        + " file:PATH");
    }
}
