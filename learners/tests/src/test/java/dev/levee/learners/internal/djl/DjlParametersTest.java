package dev.levee.learners.internal.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.MalformedModelException;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.training.ParameterStore;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Learner;
import dev.levee.learners.ModelFile;
import dev.levee.learners.Models;
import dev.levee.learners.internal.CrossEntropy;
import dev.levee.learners.internal.djl.natives.Natives;
import dev.levee.learners.internal.network.Activation;
import dev.levee.learners.internal.network.Dense;
import dev.levee.learners.internal.network.InitialValues;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Network;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** DJL's own blocks, loaded from a file, say what our learners say. */
@Tag("native")
class DjlParametersTest {
    /** A layer of each kind. */
    private static final String OWN_LAYERS =
            "layers:conv(4,3,1,1);batchnorm;tanh;maxpool(2);leakyrelu(.2);avgpool(2);relu;"
                    + "dropout(.5);avggrid(2);flatten;dense";

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"mnist-cnn", "cifarnet"})
    void djlReadsTheFile(String name) throws IOException, MalformedModelException {
        Network network = network(name);
        float[] parameters = perturbed(network.initialParameters(1));
        Path file =
                ModelFile.writeDjl(folder, new NetworkModel(network), FlatVector.of(parameters))
                        .orElseThrow();
        assertThat(file).exists();
        try (PtNDManager manager = Natives.newManager();
                Model model = Model.newInstance(name, Device.cpu(), "PyTorch")) {
            model.setBlock(BlockTree.of(network.layers()));
            model.load(folder, name);
            assertSameLoss(network, parameters, model.getBlock(), manager);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mnist-cnn",
                "cifarnet",
                "resnet18",
                "resnet50",
                "densenet121",
                "alexnet",
                OWN_LAYERS
            })
    void djlsBlocksComputeTheSame(String name) {
        Network network = network(name);
        float[] parameters = perturbed(network.initialParameters(1));
        new NetworkModel(network).newLearner().close();
        try (PtNDManager manager = Natives.newManager()) {
            Block block = DjlParameters.block(network, parameters, manager);
            assertSameLoss(network, parameters, block, manager);
        }
    }

    @Test
    void othersHaveNoSuchFile() {
        assertThat(
                        ModelFile.writeDjl(
                                folder,
                                Models.open("logistic", new int[] {2}, 2),
                                FlatVector.of(new float[6])))
                .isEmpty();
        InitialValues values = new InitialValues.Uniform(1);
        List<Layer> layers =
                List.of(
                        new Activation.Upsample("up", 2),
                        new Activation.Flatten("flat"),
                        new Dense("last", 16, 2, values, values));
        Network network = new Network("own", new int[] {1, 2, 2}, 2, layers);
        FlatVector parameters = FlatVector.of(network.initialParameters(1));
        assertThat(ModelFile.writeDjl(folder, new NetworkModel(network), parameters)).isEmpty();
    }

    private static Network network(String name) {
        int[] shape =
                switch (name) {
                    case "mnist-cnn" -> new int[] {1, 28, 28};
                    case "alexnet" -> new int[] {3, 64, 64};
                    default -> new int[] {3, 32, 32};
                };
        return ((NetworkModel) Models.open(name, shape, 10)).network();
    }

    private static void assertSameLoss(
            Network network, float[] parameters, Block block, PtNDManager manager) {
        int[] shape = network.shape();
        Dataset samples = new Noise(shape, 6);
        Evaluation ours;
        try (Learner learner = new NetworkModel(network).newLearner()) {
            ours = learner.evaluate(parameters, samples);
        }
        Batch batch = samples.batch(new int[] {0, 1, 2, 3, 4, 5});
        NDArray input =
                manager.create(batch.features(), new Shape(6, shape[0], shape[1], shape[2]));
        NDArray logits =
                block.forward(new ParameterStore(manager, false), new NDList(input), false)
                        .singletonOrThrow();
        double loss = new CrossEntropy(logits.toFloatArray(), 6, 10).losses(batch.labels()) / 6;
        assertThat(loss).isCloseTo(ours.loss(), within(1e-4 * ours.loss()));
    }

    /** Moves every value a little, so that biases, scales and running statistics count. */
    private static float[] perturbed(float[] parameters) {
        Random random = new Random(2);
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] += 0.02f * random.nextFloat();
        }
        return parameters;
    }

    private record Noise(int[] shape, int size) implements Dataset {
        @Override
        public int classes() {
            return 10;
        }

        @Override
        public int label(int index) {
            return index;
        }

        @Override
        public void read(int index, float[] out, int offset) {
            Random random = new Random(index);
            for (int i = 0; i < shape[0] * shape[1] * shape[2]; i++) {
                out[offset + i] = 3 * random.nextFloat();
            }
        }
    }
}
