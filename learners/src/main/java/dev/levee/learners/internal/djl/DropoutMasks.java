package dev.levee.learners.internal.djl;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.learners.internal.djl.natives.Scratch;
import dev.levee.learners.internal.network.Activation;
import dev.levee.learners.internal.network.CounterRandom;

import java.util.HashMap;
import java.util.Map;

/**
 * Draws dropout masks from Levee's own generator. All threads share the engine's generator, so its
 * masks would depend on what else runs.
 */
final class DropoutMasks {
    private final PtNDManager manager;
    private final Map<String, Scratch> memory = new HashMap<>();

    DropoutMasks(PtNDManager manager) {
        this.manager = manager;
    }

    /** A mask with the shape of {@code like}: 1 / keep for values that are kept, otherwise 0. */
    PtNDArray mask(Activation.Dropout layer, PtNDArray like, long seed) {
        return mask(layer.name(), layer.keep(), like.getShape(), like.getManager(), seed);
    }

    /** A mask with one value for each channel of each sample of {@code like}. */
    PtNDArray mask(Activation.ChannelDropout layer, PtNDArray like, long seed) {
        Shape shape = new Shape(like.getShape().get(0), like.getShape().get(1), 1, 1);
        return mask(layer.name(), layer.keep(), shape, like.getManager(), seed);
    }

    private PtNDArray mask(String name, double keep, Shape shape, PtNDManager step, long seed) {
        float[] mask = new float[Math.toIntExact(shape.size())];
        long key = CounterRandom.key(seed, name);
        float kept = (float) (1 / keep);
        for (int i = 0; i < mask.length; i++) {
            mask[i] = CounterRandom.uniform(key, i) < keep ? kept : 0;
        }
        return memory.computeIfAbsent(name, layer -> new Scratch(manager))
                .tensor(step, mask, shape);
    }
}
