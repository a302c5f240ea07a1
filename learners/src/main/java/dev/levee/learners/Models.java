package dev.levee.learners;

import dev.levee.connectors.data.Providers;
import dev.levee.learners.internal.LogisticModel;
import dev.levee.learners.internal.djl.NetworkModel;
import dev.levee.learners.internal.djl.script.TorchScriptModel;
import dev.levee.learners.internal.families.AdversarialFiles;
import dev.levee.learners.internal.families.AdversarialModels;
import dev.levee.learners.internal.families.OwnLayers;
import dev.levee.learners.internal.families.SuffixModels;
import dev.levee.learners.internal.network.Architectures;
import dev.levee.learners.internal.network.ConvolutionalNets;
import dev.levee.learners.internal.network.DenseNets;
import dev.levee.learners.internal.network.Network;
import dev.levee.learners.internal.network.ResNets;
import dev.levee.learners.internal.python.PythonModel;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Opens models by name. */
public final class Models {
    private static final List<ModelFactory> OWN =
            List.of(
                    new BuiltIn("logistic", (s, task) -> new LogisticModel(features(s), task)),
                    new BuiltIn("mnist-cnn", network(Architectures::mnistCnn)),
                    new BuiltIn("lenet", network(Architectures::leNet)),
                    new BuiltIn("cifarnet", network(Architectures::cifarNet)),
                    new BuiltIn("alexnet", network(ConvolutionalNets::alexNet)),
                    new BuiltIn("vgg11", network(ConvolutionalNets::vgg11)),
                    new BuiltIn("vgg19", network(ConvolutionalNets::vgg19)),
                    new BuiltIn("densenet121", network(DenseNets::denseNet121)),
                    new BuiltIn("resnet18", network(ResNets::resNet18)),
                    new BuiltIn("resnet50", network(ResNets::resNet50)),
                    new HistogramModel.Factory(),
                    AdversarialModels.lsgan(),
                    AdversarialModels.upsampleDcgan(),
                    new AdversarialFiles(),
                    new SuffixModels(),
                    new OwnLayers(),
                    new TorchScriptModel.Factory(),
                    new PythonModel.Factory());

    /** Opens models as {@link Models#open(String, int[], Task)} does. */
    public interface Opener {
        /** Opens the model with this name. */
        Model open(String name, int[] shape, Task task);
    }

    private Models() {}

    /**
     * Opens a model by name: {@code logistic}, {@code mnist-cnn}, {@code lenet}, {@code cifarnet},
     * {@code alexnet}, {@code vgg11}, {@code vgg19}, {@code densenet121}, {@code resnet18}, {@code
     * resnet50}, {@code suffix:NETWORK} for the last layers of one of these on features, {@code
     * layers:LIST} for the user's own layers, {@code lsgan}, {@code upsample-dcgan} and {@code
     * files:generator=PATH,discriminator=PATH} for {@link GenerativeModel}s, {@code histogram:…}
     * for a {@link HistogramModel}, {@code file:PATH} for a TorchScript file, {@code python:PATH}
     * for a Python file, or a name of a {@link ModelFactory} that is not part of Levee.
     *
     * @param shape shape of one sample
     * @param classes number of classes, at least 2
     * @throws IllegalStateException if a TorchScript file is opened without PyTorch; built-in
     *     networks need PyTorch only for {@link Model#newLearner}
     * @throws IllegalArgumentException if the name is unknown or the model does not take samples of
     *     this shape
     */
    public static Model open(String name, int[] shape, int classes) {
        return open(name, shape, Task.classification(classes));
    }

    /**
     * Opens a model like {@link #open(String, int[], int)}, but for any task instead of classes
     * with softmax cross-entropy.
     *
     * @throws IllegalArgumentException also if the model cannot learn the task
     */
    public static Model open(String name, int[] shape, Task task) {
        int colon = name.indexOf(':');
        if (colon < 0 && name.endsWith(".py")) {
            throw new IllegalArgumentException(
                    "unknown model " + name + ": a Python file is given as python:" + name);
        }
        if (colon < 0 && (name.contains("/") || name.endsWith(".pt"))) {
            throw new IllegalArgumentException(
                    "unknown model " + name + ": a TorchScript file is given as file:" + name);
        }
        return Providers.of(ModelFactory.class, "model", ModelFactory::name, OWN)
                .get(colon < 0 ? name : name.substring(0, colon), name, ModelFactory::form)
                .create(colon < 0 ? "" : name.substring(colon + 1), shape, task);
    }

    /**
     * The address of the data that belongs to a model. Only a Python file with a line that starts
     * with {@code def data(} has such data.
     *
     * @param name the model's name, as for {@link #open}
     */
    public static Optional<String> ownData(String name) {
        return PythonModel.ownData(name);
    }

    private static BiFunction<int[], Task, Model> network(
            BiFunction<int[], Integer, Network> made) {
        return (shape, task) -> new NetworkModel(made.apply(shape, task.outputs()), task);
    }

    private static int features(int[] shape) {
        int features = 1;
        for (int extent : shape) {
            features = Math.multiplyExact(features, extent);
        }
        return features;
    }

    /** A model whose name has no argument. */
    private record BuiltIn(String name, BiFunction<int[], Task, Model> make)
            implements ModelFactory.OfTasks {
        @Override
        public Model create(String argument, int[] shape, Task task) {
            if (!argument.isEmpty()) {
                throw new IllegalArgumentException(
                        "the model %s takes no suffix, got %s:%s".formatted(name, name, argument));
            }
            return make.apply(shape, task);
        }
    }
}
