package dev.levee.learners.internal.djl;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.learners.internal.djl.natives.Autograd;
import dev.levee.learners.internal.network.Activation;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Pooling;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Runs a network's layers in training mode, forward and backward, for one batch after another. If a
 * ReLU and a 2 × 2 max pooling follow layers with parameters, {@link PooledRelu} computes both.
 */
final class TrainingPass {
    /**
     * Layers that PyTorch records together.
     *
     * @param fused the ReLU and the pooling after these layers; empty after the last layers
     * @param pool computes the fused layers; null if there are none
     */
    private record Part(List<Layer> layers, List<Layer> fused, PooledRelu pool) {}

    /** The input and the output of a pooling. */
    private record Pooled(PooledRelu pool, PtNDArray input, PtNDArray output) {}

    private final LayerOperations operations;
    private final List<Part> parts = new ArrayList<>();
    private final Deque<Pooled> passed = new ArrayDeque<>();

    TrainingPass(List<Layer> layers, LayerOperations operations, PtNDManager manager) {
        this.operations = operations;
        int from = 0;
        boolean learns = false;
        for (int i = 0; i + 1 < layers.size(); i++) {
            learns |= !layers.get(i).parameters().isEmpty();
            if (learns && fused(layers.get(i), layers.get(i + 1))) {
                List<Layer> both = layers.subList(i, i + 2);
                parts.add(new Part(layers.subList(from, i), both, new PooledRelu(manager)));
                from = i + 2;
            }
        }
        parts.add(new Part(layers.subList(from, layers.size()), List.of(), null));
    }

    private static boolean fused(Layer first, Layer second) {
        return first instanceof Activation.Relu
                && second instanceof Pooling.Max pooling
                && pooling.kernel() == 2
                && pooling.stride() == 2
                && pooling.padding() == 0;
    }

    /** Computes the output for a batch. */
    PtNDArray forward(
            PtNDArray batch, Map<String, PtNDArray> tensors, Pass pass, PtNDManager step) {
        passed.clear();
        PtNDArray values = batch;
        for (Part part : parts) {
            values = operations.apply(part.layers(), values, tensors, pass);
            PtNDArray pooled = part.pool() == null ? null : part.pool().forward(values, step);
            if (pooled == null) {
                values = operations.apply(part.fused(), values, tensors, pass);
            } else {
                passed.push(new Pooled(part.pool(), values, pooled));
                values = pooled;
            }
        }
        return values;
    }

    /** Computes the gradients of all tensors for the batch of the last forward pass. */
    void backward(PtNDArray made, PtNDArray slope, PtNDManager step) {
        Autograd.backward(made, slope);
        while (!passed.isEmpty()) {
            Pooled last = passed.pop();
            last.pool().backward(last.input(), last.output(), step);
        }
    }
}
