package dev.levee.learners.internal.djl;

import dev.levee.learners.Learner;
import dev.levee.learners.Task;
import dev.levee.learners.internal.djl.natives.NativePlatform;
import dev.levee.learners.internal.djl.natives.Natives;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Network;
import dev.levee.learners.layers.Forward;
import dev.levee.learners.layers.StagePasses;
import dev.levee.learners.layers.TrainingTimer;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The entry point to native code. It loads PyTorch on first use, or throws an exception whose
 * message says in one sentence why it cannot.
 */
public final class PyTorch {
    private PyTorch() {}

    /**
     * Checks that the required libraries exist, without loading them.
     *
     * @throws IllegalStateException if DJL or its natives are missing; one sentence
     */
    public static void require() {
        NativePlatform platform = NativePlatform.current();
        try {
            Natives.checkOnDisk();
            if ((platform.classifier().isEmpty() && !Natives.onDisk()) || !Natives.complete()) {
                throw new IllegalStateException(platform.missing());
            }
        } catch (LinkageError e) {
            throw new IllegalStateException(platform.missing(), e);
        }
    }

    /**
     * Creates a learner for a network.
     *
     * @throws IllegalStateException if DJL or its natives are missing
     */
    public static Learner learner(NetworkModel model) {
        return loaded(() -> new NetworkLearner(model));
    }

    /** Creates a learner for a generator and a discriminator. */
    public static Learner learner(AdversarialModel model) {
        return loaded(() -> AdversarialLearner.of(model));
    }

    /**
     * Opens a forward pass through layers.
     *
     * @param input shape of one sample
     * @param parameters flat vector of the layers
     * @param microBatch number of samples that go through the layers together
     */
    public static Forward forward(
            List<Layer> layers, int[] input, float[] parameters, int microBatch) {
        return loaded(() -> new NetworkForward(layers, input, parameters, microBatch));
    }

    /**
     * Opens passes that train layers as a stage of a pipeline.
     *
     * @param input shape of one sample
     * @param first true if the layers are the first ones, whose inputs are the samples
     * @param task the task of the network if they are its last layers, else null
     * @param recompute true if forward passes keep only their inputs
     */
    public static StagePasses passes(
            List<Layer> layers, int[] input, boolean first, Task task, boolean recompute) {
        return loaded(() -> new NetworkPasses(layers, input, first, task, recompute));
    }

    /**
     * Opens passes that measure layers in training.
     *
     * @param input shape of one sample
     * @param count samples of a micro-batch
     */
    public static TrainingTimer timer(List<Layer> layers, int[] input, int count) {
        return loaded(() -> new NetworkTimer(layers, input, count));
    }

    /**
     * Writes a network's parameters in DJL's format and returns the file, if DJL has its layers.
     */
    public static Optional<Path> write(Network network, float[] parameters, Path folder) {
        return loaded(() -> DjlParameters.write(network, parameters, folder));
    }

    /**
     * Loads PyTorch if needed, without downloads, and then runs an action.
     *
     * @throws IllegalStateException if DJL or its natives are missing; one sentence
     */
    public static <T> T loaded(Supplier<T> action) {
        require();
        try {
            Natives.load();
        } catch (LinkageError e) {
            throw new IllegalStateException(NativePlatform.current().missing(), e);
        }
        return action.get();
    }
}
