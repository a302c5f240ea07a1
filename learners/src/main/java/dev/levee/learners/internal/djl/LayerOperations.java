package dev.levee.learners.internal.djl;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;

import dev.levee.learners.internal.network.Activation;
import dev.levee.learners.internal.network.Dense;
import dev.levee.learners.internal.network.Layer;

import java.util.List;
import java.util.Map;

/** What each layer computes, in terms of the engine's operations. */
final class LayerOperations {
    LayerOperations(PtNDManager manager) {
        if (!manager.isOpen()) {
            throw new IllegalStateException("the learner is closed");
        }
    }

    PtNDArray apply(
            List<Layer> layers, PtNDArray input, Map<String, PtNDArray> tensors, Pass pass) {
        PtNDArray values = input;
        for (Layer layer : layers) {
            values = apply(layer, values, tensors, pass);
        }
        return values;
    }

    private PtNDArray apply(
            Layer layer, PtNDArray input, Map<String, PtNDArray> tensors, Pass pass) {
        if (layer instanceof Dense dense) {
            return JniUtils.linear(
                    input,
                    tensors.get(dense.name() + ".weight"),
                    tensors.get(dense.name() + ".bias"));
        }
        if (layer instanceof Activation.Relu) {
            return JniUtils.relu(input);
        }
        if (layer instanceof Activation.Flatten) {
            return input.getShape().dimension() == 2 ? input : JniUtils.flatten(input, 1, -1);
        }
        throw new IllegalStateException("no operation for layer " + layer.name() + pass);
    }
}
