package dev.levee.learners.internal.djl.script;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.DataType;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValueUtils;
import ai.djl.pytorch.jni.JniUtils;

import dev.levee.learners.Layout;
import dev.levee.learners.Segment;
import dev.levee.learners.internal.djl.Pass;
import dev.levee.learners.internal.djl.natives.Autograd;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A loaded TorchScript module and its tensors, trainable ones first. */
final class ScriptModule {
    /**
     * Lock for modules that draw random numbers, because all of them share the engine's only
     * generator.
     */
    private static final Object GENERATOR = new Object();

    private final PtSymbolBlock block;
    private final boolean random;
    private final List<PtNDArray> tensors = new ArrayList<>();
    private final Layout layout;

    /** Tensors of other types, such as counters. Each step starts from their values in the file. */
    private final List<Other> others = new ArrayList<>();

    private record Other(PtNDArray tensor, byte[] first) {}

    /** True if a step has begun and its gradients have not been collected. */
    private boolean dirty;

    /**
     * Loads a module that lives as long as {@code manager}.
     *
     * @throws IllegalArgumentException if the module cannot be trained; one sentence
     */
    static ScriptModule read(PtNDManager manager, String path) {
        try {
            return new ScriptModule(manager, TorchScriptFile.read(path));
        } catch (EngineException e) {
            throw new IllegalArgumentException(
                    "model file:" + path + " cannot be loaded: " + firstLine(e), e);
        }
    }

    static String firstLine(EngineException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
    }

    private ScriptModule(PtNDManager manager, TorchScriptFile file) {
        random = file.random();
        Set<String> trained = new HashSet<>();
        try (PtNDManager probe = manager.newSubManager(manager.getDevice())) {
            JniUtils.moduleGetParams(load(probe, file), probe)
                    .forEach(array -> trained.add(array.getName()));
        }
        block = load(manager, file.withBuffersAsParameters());
        List<PtNDArray> all = new ArrayList<>();
        JniUtils.moduleGetParams(block, manager).forEach(array -> all.add((PtNDArray) array));
        for (boolean trainable : new boolean[] {true, false}) {
            all.stream()
                    .filter(array -> trained.contains(array.getName()) == trainable)
                    .filter(array -> trainable || array.getDataType() == DataType.FLOAT32)
                    .forEach(tensors::add);
        }
        all.stream()
                .filter(array -> !trained.contains(array.getName()))
                .filter(array -> array.getDataType() != DataType.FLOAT32)
                .forEach(array -> others.add(new Other(array, array.toByteArray())));
        for (PtNDArray tensor : tensors) {
            if (tensor.getDataType() != DataType.FLOAT32 || !writable(tensor)) {
                throw new IllegalArgumentException(
                        "parameter %s of the TorchScript file is not a contiguous float32 tensor"
                                .formatted(tensor.getName()));
            }
        }
        keepTiedOnce();
        List<Segment> segments = new ArrayList<>();
        int offset = 0;
        for (PtNDArray tensor : tensors) {
            boolean trainable = trained.contains(tensor.getName());
            JniUtils.attachGradient(tensor, trainable);
            Segment segment =
                    new Segment(tensor.getName(), tensor.getShape().getShape(), offset, trainable);
            segments.add(segment);
            offset = Math.addExact(offset, segment.length());
        }
        layout = new Layout(segments);
        if (layout.trainable() == 0) {
            throw new IllegalArgumentException(
                    "the TorchScript file has no parameters to train: save the module before "
                            + "torch.jit.freeze turns them into constants");
        }
    }

    private static PtSymbolBlock load(PtNDManager manager, TorchScriptFile file) {
        try {
            return JniUtils.loadModule(
                    manager, new ByteArrayInputStream(file.bytes()), true, false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** True if Java accesses the tensor's memory itself. Of a strided tensor, Java gets a copy. */
    private static boolean writable(PtNDArray tensor) {
        if (tensor.getShape().size() == 0) {
            return false;
        }
        float before = tensor.toByteBuffer(true).getFloat(0);
        float other = before == 1 ? 2 : 1;
        tensor.toByteBuffer(true).putFloat(0, other);
        boolean changed = tensor.toByteBuffer(true).getFloat(0) == other;
        tensor.toByteBuffer(true).putFloat(0, before);
        return changed;
    }

    /**
     * Removes all names of a tied tensor but the first. Each tensor gets its index as a value, the
     * first tensor last, so that a later name of the same memory reads another index than its own.
     */
    private void keepTiedOnce() {
        List<ByteBuffer> memory = tensors.stream().map(each -> each.toByteBuffer(true)).toList();
        int[] before = memory.stream().mapToInt(each -> each.getInt(0)).toArray();
        for (int i = before.length - 1; i >= 0; i--) {
            memory.get(i).putInt(0, i);
        }
        BitSet first = new BitSet();
        for (int i = 0; i < before.length; i++) {
            first.set(i, memory.get(i).getInt(0) == i);
        }
        for (int i = before.length - 1; i >= 0; i--) {
            memory.get(i).putInt(0, before[i]);
            if (!first.get(i)) {
                tensors.remove(i);
            }
        }
    }

    Layout layout() {
        return layout;
    }

    /** Writes a flat vector into the module's tensors, and begins a new step. */
    void load(float[] parameters) {
        if (dirty) {
            forgetGradients(); // left by a step that ran out of memory
        }
        for (int i = 0; i < tensors.size(); i++) {
            Segment segment = layout.segments().get(i);
            tensors.get(i)
                    .toByteBuffer(true)
                    .asFloatBuffer()
                    .put(parameters, segment.offset(), segment.length());
        }
        others.forEach(each -> each.tensor().toByteBuffer(true).put(each.first()));
    }

    /** The current values of the tensors. */
    float[] values() {
        float[] values = new float[layout.size()];
        for (int i = 0; i < tensors.size(); i++) {
            copy(tensors.get(i), layout.segments().get(i), values);
        }
        return values;
    }

    /** Sets the gradients to zero. */
    void forgetGradients() {
        for (int i = 0; i < tensors.size(); i++) {
            PtNDArray gradient =
                    layout.segments().get(i).trainable() ? Autograd.gradient(tensors.get(i)) : null;
            if (gradient != null) {
                gradient.close();
                JniUtils.zeroGrad(tensors.get(i));
            }
        }
        dirty = false;
    }

    /**
     * Returns gradients of trainable tensors and values of buffers, and sets the gradients to zero.
     */
    float[] collect() {
        dirty = false;
        float[] values = new float[layout.size()];
        for (int i = 0; i < tensors.size(); i++) {
            Segment segment = layout.segments().get(i);
            if (!segment.trainable()) {
                copy(tensors.get(i), segment, values);
                continue;
            }
            PtNDArray gradient = Autograd.gradient(tensors.get(i));
            if (gradient == null) {
                continue;
            }
            copy(gradient, segment, values);
            gradient.close();
            JniUtils.zeroGrad(tensors.get(i));
            // Turn −0 into +0: a module's first gradient may be −0, but later ones are added to 0.
            for (int j = segment.offset(); j < segment.offset() + segment.length(); j++) {
                values[j] += 0f;
            }
        }
        return values;
    }

    private static void copy(PtNDArray from, Segment segment, float[] to) {
        from.toByteBuffer(true).asFloatBuffer().get(to, segment.offset(), segment.length());
    }

    /** True if the module exports a method of this name. */
    boolean has(String method) {
        return Arrays.asList(JniUtils.getMethodNames(block)).contains(method);
    }

    /** The module's outputs for a batch; in training, they are recorded. */
    PtNDArray forward(PtNDArray input, Pass pass) {
        return seeded(new NDList(input), pass.training(), pass.seed());
    }

    /**
     * Applies a method of the module to two tensors.
     *
     * @param pass in training, the module's operations are recorded
     */
    PtNDArray apply(String method, PtNDArray first, PtNDArray second, Pass pass) {
        // The engine takes the method's name from the name of an extra input.
        NDArray named = second.getManager().create(0f);
        named.setName("module_method:" + method);
        // Other draws than those of the pass's outputs.
        return seeded(new NDList(named, first, second), pass.training(), ~pass.seed());
    }

    private PtNDArray seeded(NDList inputs, boolean training, long seed) {
        if (!random) {
            return run(inputs, training);
        }
        // Modules may draw in evaluation, too. Draws of one pass must not fall into another's.
        synchronized (GENERATOR) {
            JniUtils.setSeed(seed);
            return run(inputs, training);
        }
    }

    private PtNDArray run(NDList inputs, boolean training) {
        dirty |= training;
        if (training) {
            JniUtils.enableTrainingMode(block);
        } else {
            JniUtils.enableInferenceMode(block);
        }
        // Switch the optimizer off for this thread: it rewrites a graph after the first runs, which
        // changes the order of additions.
        JniUtils.setGraphExecutorOptimize(false);
        return (PtNDArray) IValueUtils.forward(block, inputs, training).singletonOrThrow();
    }
}
