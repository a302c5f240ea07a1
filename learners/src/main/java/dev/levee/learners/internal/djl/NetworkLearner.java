package dev.levee.learners.internal.djl;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Task;
import dev.levee.learners.internal.Arguments;
import dev.levee.learners.internal.Criterion;
import dev.levee.learners.internal.Evaluations;
import dev.levee.learners.internal.djl.natives.Autograd;
import dev.levee.learners.internal.djl.natives.NativeParameters;
import dev.levee.learners.internal.djl.natives.Natives;
import dev.levee.learners.internal.djl.natives.Scratch;
import dev.levee.learners.internal.djl.natives.WorkingSet;
import dev.levee.learners.internal.network.Activation;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Network;

import java.util.Map;
import java.util.stream.IntStream;

/**
 * Computes gradients of a {@link Network}. A step copies the batch to native memory, and the
 * parameters if they changed, and copies each gradient back. Softmax and loss are computed in Java
 * between the passes. Methods exclude one another, so closing waits for a step in progress.
 */
final class NetworkLearner implements Learner {
    private final Network network;
    private final Task task;
    private final Criterion criterion;
    private final int parameterCount;
    private final int features;
    private final long[] inputShape;
    private final int evaluatedAtOnce;
    private final PtNDManager manager;
    private final NativeParameters parameters;
    private final Scratch inputs;
    private final Scratch outputs;
    private final LayerOperations operations;
    private final TrainingPass training;
    private final WorkingSet workingSet = new WorkingSet();

    NetworkLearner(NetworkModel model) {
        network = model.network();
        task = model.task();
        criterion = Criterion.of(task);
        parameterCount = network.layout().size();
        features = IntStream.of(network.shape()).reduce(1, Math::multiplyExact);
        inputShape = inputShape(network);
        evaluatedAtOnce = Evaluations.atOnce(network);
        manager = Natives.newManager();
        parameters = new NativeParameters(manager, network.layout());
        inputs = new Scratch(manager);
        outputs = new Scratch(manager);
        operations = new LayerOperations(manager);
        training = new TrainingPass(network.layers(), operations, manager);
    }

    /** If the first layer flattens, the batch is passed flat, so that the layer costs nothing. */
    private static long[] inputShape(Network network) {
        int[] shape =
                network.layers().get(0) instanceof Activation.Flatten flatten
                        ? flatten.output(network.shape())
                        : network.shape();
        long[] batched = new long[shape.length + 1];
        for (int i = 0; i < shape.length; i++) {
            batched[i + 1] = shape[i];
        }
        return batched;
    }

    @Override
    public synchronized Gradient gradient(float[] flat, Batch batch, long seed) {
        check(flat, batch);
        return WorkingSet.within(() -> step(flat, batch, seed));
    }

    private Gradient step(float[] flat, Batch batch, long seed) {
        int size = batch.size();
        int width = task.outputs();
        parameters.load(flat);
        try (Autograd recording = Autograd.recording();
                PtNDManager step = manager.newSubManager(manager.getDevice())) {
            Map<String, PtNDArray> tensors = parameters.tensors(step, true);
            PtNDArray made =
                    training.forward(input(step, batch), tensors, new Pass(true, seed), step);
            float[] slope = new float[size * width];
            double loss = criterion.losses(Natives.floats(made), batch, slope);
            training.backward(made, outputs.tensor(step, slope, new Shape(size, width)), step);
            long besides = (long) Float.BYTES * (parameterCount + batch.features().length);
            workingSet.measure(size, step, besides);
            return new Gradient(parameters.collect(tensors, parameterCount), loss / size);
        }
    }

    @Override
    public synchronized long workingSet() {
        return workingSet.bytes();
    }

    @Override
    public synchronized Evaluation evaluate(float[] flat, Dataset data) {
        return Evaluations.run(data, task, batch -> evaluated(flat, batch));
    }

    private Evaluations.Outputs evaluated(float[] flat, Batch batch) {
        check(flat, batch);
        parameters.load(flat);
        float[] made = new float[batch.size() * task.outputs()];
        for (int from = 0; from < batch.size(); from += evaluatedAtOnce) {
            int to = Math.min(batch.size(), from + evaluatedAtOnce);
            float[] part = outputs(from == 0 && to == batch.size() ? batch : batch.part(from, to));
            System.arraycopy(part, 0, made, from * task.outputs(), part.length);
        }
        return new Evaluations.Outputs(made, criterion.losses(made, batch));
    }

    private float[] outputs(Batch batch) {
        try (Autograd off = Autograd.off();
                PtNDManager step = manager.newSubManager(manager.getDevice())) {
            Map<String, PtNDArray> tensors = parameters.tensors(step, false);
            PtNDArray values = input(step, batch);
            for (Layer layer : network.layers()) {
                values = operations.evaluate(layer, values, tensors, step);
            }
            return Natives.floats(values);
        }
    }

    private PtNDArray input(PtNDManager step, Batch batch) {
        Natives.oneThread();
        long[] shape = inputShape.clone();
        shape[0] = batch.size();
        return inputs.tensor(step, batch.features(), new Shape(shape));
    }

    private void check(float[] flat, Batch batch) {
        if (!manager.isOpen()) {
            throw new IllegalStateException("the learner is closed");
        }
        Arguments.check(flat, parameterCount, batch, features, task);
    }

    @Override
    public synchronized void close() {
        manager.close();
    }
}
