package dev.levee.learners.internal.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Layout;
import dev.levee.learners.Task;
import dev.levee.learners.internal.Criterion;
import dev.levee.learners.internal.djl.natives.Autograd;
import dev.levee.learners.internal.djl.natives.NativeParameters;
import dev.levee.learners.internal.djl.natives.Natives;
import dev.levee.learners.internal.djl.natives.Scratch;
import dev.levee.learners.internal.djl.natives.WorkingSet;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Network;
import dev.levee.learners.layers.StagePasses;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs passes of a network's layers with the engine's own recording. Each micro-batch has its own
 * native memory between its two passes, because the next micro-batch would otherwise overwrite its
 * inputs and masks. Methods exclude one another, so closing waits for a pass in progress.
 */
final class NetworkPasses implements StagePasses {
    private final List<Layer> layers;
    private final int[] input;
    private final boolean first;
    private final Criterion criterion;
    private final boolean recompute;
    private final Layout layout;
    private final PtNDManager manager;
    private final NativeParameters parameters;
    private final ArrayDeque<Memory> free = new ArrayDeque<>();
    private final Map<Integer, Kept> kept = new HashMap<>();
    private float[] flat;
    private long held;
    private long peak;

    /**
     * Creates passes of some layers.
     *
     * @param input shape of one sample
     * @param first true if no gradient with respect to the inputs is needed
     * @param task the task of the network if these are its last layers, else null
     */
    NetworkPasses(List<Layer> layers, int[] input, boolean first, Task task, boolean recompute) {
        this.layers = layers;
        this.input = input.clone();
        this.first = first;
        this.criterion = task == null ? null : Criterion.of(task);
        this.recompute = recompute;
        layout = Network.layout(layers);
        manager = Natives.newManager();
        parameters = new NativeParameters(manager, layout);
    }

    /** Native memory of one micro-batch, reused for another one when the micro-batch is done. */
    private final class Memory {
        private final Scratch inputs = new Scratch(manager);
        private final Scratch slopes = new Scratch(manager);
        private final LayerOperations operations = new LayerOperations(manager);
    }

    /**
     * A micro-batch between its two passes.
     *
     * @param recorded null if the forward pass must run again
     */
    private record Kept(Memory memory, float[] inputs, int count, long seed, Recorded recorded) {}

    /**
     * A recorded forward pass.
     *
     * @param buffers new values of the buffers
     * @param bytes bytes that the tensors take
     */
    private record Recorded(
            PtNDManager step,
            Map<String, PtNDArray> tensors,
            PtNDArray input,
            PtNDArray output,
            float[] buffers,
            long bytes) {}

    @Override
    public synchronized void begin(float[] values) {
        if (values.length != layout.size()) {
            throw new IllegalArgumentException(
                    "the section has %d parameters, got %d"
                            .formatted(layout.size(), values.length));
        }
        kept.values().forEach(this::free);
        kept.clear();
        flat = values;
    }

    @Override
    public synchronized float[] forward(int microBatch, float[] inputs, int count, long seed) {
        requireOpen();
        return WorkingSet.within(
                () -> {
                    Memory memory = free.isEmpty() ? new Memory() : free.pop();
                    Recorded recorded = record(memory, inputs, count, seed);
                    float[] outputs = floats(recorded.output());
                    if (recompute) {
                        forget(recorded);
                        hold(bytes(inputs));
                        recorded = null;
                    }
                    kept.put(
                            microBatch,
                            new Kept(memory, recompute ? inputs : null, count, seed, recorded));
                    return outputs;
                });
    }

    private Recorded record(Memory memory, float[] inputs, int count, long seed) {
        Natives.oneThread();
        parameters.load(flat);
        PtNDManager step = manager.newSubManager(manager.getDevice());
        try (Autograd recording = Autograd.recording()) {
            Map<String, PtNDArray> tensors = parameters.tensors(step, true);
            PtNDArray taken = memory.inputs.tensor(step, inputs, shape(count));
            if (!first) {
                Autograd.leaf(taken);
            }
            PtNDArray output =
                    memory.operations.apply(layers, taken, tensors, new Pass(true, seed));
            float[] buffers = new float[layout.size() - layout.trainable()];
            parameters.collectBuffers(buffers, layout.trainable());
            long bytes = -(long) Float.BYTES * layout.size();
            for (NDArray array : step.getManagedArrays()) {
                bytes += array.size() * array.getDataType().getNumOfBytes();
            }
            hold(bytes);
            return new Recorded(step, tensors, taken, output, buffers, bytes);
        } catch (RuntimeException | Error e) {
            step.close();
            throw e;
        }
    }

    private Shape shape(int count) {
        long[] shape = new long[input.length + 1];
        Arrays.setAll(shape, i -> i == 0 ? count : input[i - 1]);
        return new Shape(shape);
    }

    @Override
    public synchronized double loss(float[] outputs, Batch answers, float[] slope) {
        if (criterion == null) {
            throw new IllegalStateException("only the last stage has a loss");
        }
        return criterion.losses(outputs, answers, slope) / answers.size();
    }

    @Override
    public synchronized Backward backward(int microBatch, float[] slope, float[] into) {
        requireOpen();
        Kept one = kept.remove(microBatch);
        if (one == null) {
            throw new IllegalStateException(
                    "micro-batch %d has had no forward pass".formatted(microBatch));
        }
        return WorkingSet.within(() -> backward(one, slope, into));
    }

    private Backward backward(Kept one, float[] slope, float[] into) {
        Recorded recorded = one.recorded();
        if (recorded == null) {
            recorded = record(one.memory(), one.inputs(), one.count(), one.seed());
            hold(-bytes(one.inputs()));
        }
        try {
            Natives.oneThread();
            float[] values = into == null ? new float[layout.size()] : into;
            if (into != null) {
                // The engine computes no gradient of a parameter that no layer reads.
                Arrays.fill(values, 0);
            }
            System.arraycopy(
                    recorded.buffers(), 0, values, layout.trainable(), recorded.buffers().length);
            float[] inputSlope = null;
            // A first stage without parameters needs no gradients at all.
            if (!first || layout.trainable() > 0) {
                Shape shape = recorded.output().getShape();
                PtNDArray given = one.memory().slopes.tensor(recorded.step(), slope, shape);
                Autograd.backward(recorded.output(), given);
                parameters.collectGradients(recorded.tensors(), values);
                inputSlope = first ? null : floats(Autograd.gradient(recorded.input()));
            }
            return new Backward(inputSlope, values);
        } finally {
            forget(recorded);
            free.push(one.memory());
        }
    }

    @Override
    public synchronized void end() {
        flat = null;
    }

    private void free(Kept one) {
        if (one.recorded() == null) {
            hold(-bytes(one.inputs()));
        } else {
            forget(one.recorded());
        }
        free.push(one.memory());
    }

    private void forget(Recorded recorded) {
        recorded.step().close();
        hold(-recorded.bytes());
    }

    private void hold(long bytes) {
        held += bytes;
        peak = Math.max(peak, held);
    }

    @Override
    public synchronized long peakBytes() {
        // Add the parameters and the gradients of trainable parameters.
        return peak + (long) Float.BYTES * (layout.size() + layout.trainable());
    }

    private static long bytes(float[] values) {
        return (long) Float.BYTES * values.length;
    }

    private static float[] floats(PtNDArray array) {
        float[] values = new float[Math.toIntExact(array.size())];
        array.toByteBuffer(true).asFloatBuffer().get(values);
        return values;
    }

    private void requireOpen() {
        if (!manager.isOpen()) {
            throw new IllegalStateException("the passes are closed");
        }
    }

    @Override
    public synchronized void close() {
        manager.close();
    }
}
