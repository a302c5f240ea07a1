package dev.levee.learners;

import dev.levee.learners.internal.LogisticModel;
import dev.levee.learners.internal.TorchScriptModel;
import dev.levee.learners.internal.network.Architectures;
import dev.levee.learners.internal.network.ResNets;

/** Opens models by name. */
public final class Models {
    private static final String FILE = "file:";

    private Models() {}

    /**
     * A model by name: {@code logistic}, {@code mnist-cnn}, {@code cifarnet}, {@code resnet18},
     * {@code resnet50} or {@code file:PATH} of a TorchScript file.
     *
     * @param shape shape of one sample
     * @param classes number of classes, at least 2
     * @throws IllegalStateException if a TorchScript file is opened where PyTorch is not; built-in
     *     networks need it only for {@link Model#newLearner}
     * @throws IllegalArgumentException if the name is unknown or the model does not take samples of
     *     this shape
     */
    public static Model open(String name, int[] shape, int classes) {
        if (classes < 2) {
            throw new IllegalArgumentException(
                    "a model needs at least 2 classes, the data set has " + classes);
        }
        if (name.startsWith(FILE)) {
            return new TorchScriptModel(name.substring(FILE.length()), shape, classes);
        }
        return switch (name) {
            case "logistic" -> new LogisticModel(features(shape), classes);
            case "mnist-cnn" -> Architectures.mnistCnn(shape, classes);
            case "cifarnet" -> Architectures.cifarNet(shape, classes);
            case "resnet18" -> ResNets.resNet18(shape, classes);
            case "resnet50" -> ResNets.resNet50(shape, classes);
            default ->
                    throw new IllegalArgumentException(
                            "unknown model "
                                    + name
                                    + ": known are logistic, mnist-cnn, cifarnet, resnet18,"
                                    + " resnet50 and file:PATH of a TorchScript file"
                                    + (name.matches(".*(/|\\.pt$).*")
                                            ? ", as in file:" + name
                                            : ""));
        };
    }

    private static int features(int[] shape) {
        int features = 1;
        for (int extent : shape) {
            features = Math.multiplyExact(features, extent);
        }
        return features;
    }
}
