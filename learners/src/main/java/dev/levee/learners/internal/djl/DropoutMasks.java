package dev.levee.learners.internal.djl;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.learners.internal.network.Activation;
import dev.levee.learners.internal.network.CounterRandom;

import java.util.HashMap;
import java.util.Map;

/**
 * Dropout masks from our own generator: the engine's is one for all threads, so its masks would
 * depend on what else runs.
 */
final class DropoutMasks {
    private final PtNDManager manager;
    private final Map<String, Scratch> memory = new HashMap<>();

    DropoutMasks(PtNDManager manager) {
        this.manager = manager;
    }

    /** A mask of {@code like}'s shape: 0, or 1 / keep where a value is kept. */
    PtNDArray mask(Activation.Dropout layer, PtNDArray like, long seed) {
        float[] mask = new float[Math.toIntExact(like.getShape().size())];
        long key = CounterRandom.key(seed, layer.name());
        float kept = (float) (1 / layer.keep());
        for (int i = 0; i < mask.length; i++) {
            mask[i] = CounterRandom.uniform(key, i) < layer.keep() ? kept : 0;
        }
        return memory.computeIfAbsent(layer.name(), name -> new Scratch(manager))
                .tensor(like.getManager(), mask, like.getShape());
    }
}
