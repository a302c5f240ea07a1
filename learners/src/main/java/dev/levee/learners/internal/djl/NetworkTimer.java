package dev.levee.learners.internal.djl;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.learners.GradientMean;
import dev.levee.learners.Layout;
import dev.levee.learners.internal.djl.natives.Autograd;
import dev.levee.learners.internal.djl.natives.NativeParameters;
import dev.levee.learners.internal.djl.natives.Natives;
import dev.levee.learners.internal.djl.natives.Scratch;
import dev.levee.learners.internal.djl.natives.WorkingSet;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Network;
import dev.levee.learners.layers.ThreadTime;
import dev.levee.learners.layers.TrainingTimer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Measures passes through layers. The recording ends after each layer, so that each layer's
 * backward pass can be measured separately. Nothing is copied between layers. Times do not depend
 * on values, so samples are random and parameters are the initial ones.
 */
final class NetworkTimer implements TrainingTimer {
    private static final long SEED = 1;

    private final Shape shape;
    private final float[] samples;
    private final PtNDManager manager;
    private final Scratch inputs;
    private final Scratch slopes;
    private final LayerOperations operations;
    private final List<Step> steps = new ArrayList<>();

    /**
     * Creates passes of some layers.
     *
     * @param input shape of one sample
     * @param count samples of a micro-batch
     */
    NetworkTimer(List<Layer> layers, int[] input, int count) {
        long[] batch = new long[input.length + 1];
        batch[0] = count;
        for (int i = 0; i < input.length; i++) {
            batch[i + 1] = input[i];
        }
        shape = new Shape(batch);
        samples = random(Math.toIntExact(shape.size()));
        manager = Natives.newManager();
        inputs = new Scratch(manager);
        slopes = new Scratch(manager);
        operations = new LayerOperations(manager);
        boolean learns = false;
        for (Layer layer : layers) {
            Step step = new Step(layer, learns);
            learns |= step.layout.trainable() > 0;
            steps.add(step);
        }
    }

    private static float[] random(int length) {
        Random random = new Random(SEED);
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = random.nextFloat();
        }
        return values;
    }

    /** One layer with its own parameters and its own sum of gradients. */
    private final class Step {
        private final List<Layer> layers;
        private final boolean below;
        private final Layout layout;
        private final NativeParameters parameters;
        private final float[] sum;
        private PtNDManager recorded;
        private Map<String, PtNDArray> tensors;
        private PtNDArray input;
        private PtNDArray output;

        /**
         * Creates a step.
         *
         * @param below true if an earlier layer learns, so that this layer must compute a gradient
         *     with respect to its inputs
         */
        private Step(Layer layer, boolean below) {
            this.layers = List.of(layer);
            this.below = below;
            layout = Network.layout(layers);
            parameters = new NativeParameters(manager, layout);
            parameters.load(Network.initialParameters(layers, SEED));
            sum = new float[layout.size()];
        }

        private PtNDArray forward(PtNDArray values) {
            recorded = manager.newSubManager(manager.getDevice());
            tensors = parameters.tensors(recorded, true);
            input = Autograd.detached(values);
            input.attach(recorded);
            if (below) {
                Autograd.leaf(input);
            }
            output = operations.apply(layers, input, tensors, new Pass(true, SEED));
            return output;
        }

        /**
         * Passes a gradient back.
         *
         * @param given the gradient with respect to the outputs; null if neither this layer nor an
         *     earlier one learns
         * @param owner manager of the result
         * @return the gradient with respect to the inputs; null if no earlier layer learns
         */
        private PtNDArray backward(PtNDArray given, PtNDManager owner) {
            if (!below && layout.trainable() == 0) {
                recorded.close();
                return null;
            }
            Autograd.backward(output, given);
            GradientMean mean = new GradientMean(new int[] {1, 2});
            mean.add(sum, 0);
            float[] values = new float[layout.size()];
            parameters.collectGradients(tensors, values);
            mean.add(values, 0);
            PtNDArray slope = below ? Autograd.gradient(input) : null;
            if (slope != null) {
                slope.attach(owner);
            }
            recorded.close();
            return slope;
        }
    }

    @Override
    public synchronized Seconds pass() {
        return WorkingSet.within(this::passes);
    }

    private Seconds passes() {
        Natives.oneThread();
        double[] forward = new double[steps.size()];
        double[] backward = new double[steps.size()];
        try (PtNDManager whole = manager.newSubManager(manager.getDevice())) {
            PtNDArray values = inputs.tensor(whole, samples, shape);
            try (Autograd recording = Autograd.recording()) {
                for (int i = 0; i < steps.size(); i++) {
                    ThreadTime start = ThreadTime.start();
                    values = steps.get(i).forward(values);
                    forward[i] = start.seconds();
                }
            }
            Shape made = values.getShape();
            PtNDArray slope = slopes.tensor(whole, random(Math.toIntExact(made.size())), made);
            for (int i = steps.size() - 1; i >= 0; i--) {
                ThreadTime start = ThreadTime.start();
                slope = steps.get(i).backward(slope, whole);
                backward[i] = start.seconds();
            }
        }
        return new Seconds(forward, backward);
    }

    @Override
    public synchronized void close() {
        manager.close();
    }
}
