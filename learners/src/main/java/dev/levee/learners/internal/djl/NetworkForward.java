package dev.levee.learners.internal.djl;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.learners.internal.djl.natives.Autograd;
import dev.levee.learners.internal.djl.natives.NativeParameters;
import dev.levee.learners.internal.djl.natives.Natives;
import dev.levee.learners.internal.djl.natives.Scratch;
import dev.levee.learners.internal.djl.natives.WorkingSet;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Network;
import dev.levee.learners.layers.Forward;
import dev.levee.learners.layers.ThreadTime;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Passes samples through layers, a fixed number at a time. PyTorch chooses kernels by the shape of
 * a batch, so with a fixed shape, the bits of a sample do not depend on the number of samples. The
 * input of a layer is freed as soon as its output is computed.
 */
final class NetworkForward implements Forward {
    private final List<Layer> layers;
    private final int microBatch;
    private final int inputLength;
    private final int outputLength;
    private final long[] batchShape;
    private final PtNDManager manager;
    private final NativeParameters parameters;
    private final Scratch inputs;
    private final LayerOperations operations;
    private final double[] seconds;

    NetworkForward(List<Layer> layers, int[] input, float[] values, int microBatch) {
        this.layers = layers;
        this.microBatch = microBatch;
        inputLength = length(input);
        outputLength = length(Network.outputOf(layers, input));
        batchShape = new long[input.length + 1];
        batchShape[0] = microBatch;
        Arrays.setAll(batchShape, i -> i == 0 ? microBatch : input[i - 1]);
        seconds = new double[layers.size()];
        manager = Natives.newManager();
        parameters = new NativeParameters(manager, Network.layout(layers));
        parameters.load(values);
        inputs = new Scratch(manager);
        operations = new LayerOperations(manager);
    }

    private static int length(int[] shape) {
        return Arrays.stream(shape).reduce(1, Math::multiplyExact);
    }

    @Override
    public synchronized float[] outputs(float[] samples, int count) {
        if (!manager.isOpen()) {
            throw new IllegalStateException("the forward pass is closed");
        }
        if (samples.length != (long) count * inputLength) {
            throw new IllegalArgumentException(
                    "%d samples of %d values need %d, got %d"
                            .formatted(
                                    count,
                                    inputLength,
                                    (long) count * inputLength,
                                    samples.length));
        }
        Arrays.fill(seconds, 0);
        if (layers.isEmpty()) {
            return samples.clone();
        }
        float[] results = new float[Math.multiplyExact(count, outputLength)];
        for (int at = 0; at < count; at += microBatch) {
            int from = at;
            WorkingSet.within(
                    () -> pass(samples, from, Math.min(microBatch, count - from), results));
        }
        return results;
    }

    private Void pass(float[] samples, int from, int count, float[] results) {
        float[] padded = samples;
        if (samples.length != microBatch * inputLength) {
            padded = new float[microBatch * inputLength];
            System.arraycopy(samples, from * inputLength, padded, 0, count * inputLength);
        }
        Natives.oneThread();
        try (Autograd off = Autograd.off();
                PtNDManager step = manager.newSubManager(manager.getDevice())) {
            Map<String, PtNDArray> tensors = parameters.tensors(step, false);
            PtNDArray values = inputs.tensor(step, padded, new Shape(batchShape));
            for (int i = 0; i < layers.size(); i++) {
                ThreadTime start = ThreadTime.start();
                values = operations.evaluate(layers.get(i), values, tensors, step);
                seconds[i] += start.seconds();
            }
            values.toByteBuffer(true)
                    .asFloatBuffer()
                    .get(results, from * outputLength, count * outputLength);
        }
        return null;
    }

    @Override
    public synchronized double[] seconds() {
        return seconds.clone();
    }

    @Override
    public synchronized void close() {
        manager.close();
    }
}
