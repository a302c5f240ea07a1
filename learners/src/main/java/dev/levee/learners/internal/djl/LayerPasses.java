package dev.levee.learners.internal.djl;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.learners.GenerativeModel;
import dev.levee.learners.internal.djl.natives.NativeParameters;
import dev.levee.learners.internal.network.AdversarialPair;

import java.util.HashMap;
import java.util.Map;

/** Runs a generator and a discriminator that are networks of layers. */
final class LayerPasses implements PairPasses {
    private final AdversarialPair pair;
    private final int size;
    private final NativeParameters parameters;
    private final LayerOperations operations;

    private PtNDManager step;
    private Map<String, PtNDArray> tensors;

    LayerPasses(PtNDManager manager, AdversarialPair pair) {
        this.pair = pair;
        size = pair.layout().size();
        parameters = new NativeParameters(manager, pair.layout());
        operations = new LayerOperations(manager);
    }

    @Override
    public void begin(PtNDManager step, float[] flat, boolean training) {
        this.step = step;
        parameters.load(flat);
        tensors = parameters.tensors(step, training);
    }

    @Override
    public PtNDArray make(PtNDArray noise, Pass pass) {
        return operations.apply(pair.generator(), noise, tensors, pass);
    }

    @Override
    public PtNDArray judge(PtNDArray images, boolean learns, Pass pass) {
        return operations.apply(pair.discriminator(), images, learns ? tensors : frozen(), pass);
    }

    /** Tensors with a frozen discriminator: a gradient goes through it, but it does not learn. */
    private Map<String, PtNDArray> frozen() {
        Map<String, PtNDArray> frozen = new HashMap<>(tensors);
        parameters
                .tensors(step, false)
                .forEach(
                        (name, tensor) -> {
                            if (name.startsWith(GenerativeModel.DISCRIMINATOR)) {
                                frozen.put(name, tensor);
                            }
                        });
        return frozen;
    }

    @Override
    public float[] collect() {
        return parameters.collect(tensors, size);
    }
}
