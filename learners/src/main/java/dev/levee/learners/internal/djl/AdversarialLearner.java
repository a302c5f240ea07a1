package dev.levee.learners.internal.djl;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.internal.Arguments;
import dev.levee.learners.internal.Evaluations;
import dev.levee.learners.internal.Noise;
import dev.levee.learners.internal.network.AdversarialPair;
import dev.levee.learners.internal.network.Layer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Gradients of both networks of an {@link AdversarialPair} on one batch, in three passes: noise
 * through both for the generator's loss, then the discriminator on the real batch, then on what the
 * generator made, from which no gradient goes back to it. The loss of a batch is the generator's
 * plus the discriminator's, which is half of that on real images plus half of that on made ones.
 *
 * <p>A pass ends with its backward pass before the next begins, for masks share memory.
 */
final class AdversarialLearner implements Learner {
    private final AdversarialPair pair;
    private final int size;
    private final int pixels;
    private final PtNDManager manager;
    private final NativeParameters parameters;
    private final Scratch noise;
    private final Scratch images;
    private final Scratch slopes;
    private final LayerOperations operations;
    private final WorkingSet workingSet = new WorkingSet();

    AdversarialLearner(AdversarialPair pair) {
        this.pair = pair;
        size = pair.layout().size();
        pixels = IntStream.of(pair.image()).reduce(1, Math::multiplyExact);
        manager = Natives.newManager();
        parameters = new NativeParameters(manager, pair.layout());
        noise = new Scratch(manager);
        images = new Scratch(manager);
        slopes = new Scratch(manager);
        operations = new LayerOperations(manager);
    }

    @Override
    public synchronized Gradient gradient(float[] flat, Batch batch, long seed) {
        check(flat, batch);
        return WorkingSet.within(() -> step(flat, batch, seed));
    }

    private Gradient step(float[] flat, Batch batch, long seed) {
        Natives.oneThread();
        parameters.load(flat);
        int count = batch.size();
        try (Autograd recording = Autograd.recording();
                PtNDManager step = manager.newSubManager(manager.getDevice())) {
            Map<String, PtNDArray> tensors = parameters.tensors(step, true);
            // Each pass has masks of its own, as where a framework draws them one after the other.
            Passes passes = new Passes(seed);
            PtNDArray made =
                    operations.apply(
                            pair.generator(), latent(step, count, seed), tensors, passes.next());
            Map<String, PtNDArray> frozen = frozenDiscriminator(step, tensors);
            double loss = judge(step, made, true, 1, frozen, passes.next());
            // What was made, before either network steps.
            float[] fakes = floats(made);
            PtNDArray real = image(step, scaled(batch.features()), count);
            loss += judge(step, real, true, 0.5, tensors, passes.next());
            PtNDArray fake = image(step, fakes, count);
            loss += judge(step, fake, false, 0.5, tensors, passes.next());
            long besides = (long) Float.BYTES * (size + 2L * count * pixels);
            workingSet.measure(count, step, besides);
            return new Gradient(parameters.collect(tensors, size), loss);
        }
    }

    /** Masks of one step, a pass after the other. */
    private static final class Passes {
        private final long seed;
        private int passes;

        private Passes(long seed) {
            this.seed = seed;
        }

        private Pass next() {
            return new Pass(true, seed + passes++);
        }
    }

    /** The discriminator's loss on images, of which the gradient goes back to every leaf. */
    private double judge(
            PtNDManager step,
            PtNDArray judged,
            boolean real,
            double share,
            Map<String, PtNDArray> tensors,
            Pass pass) {
        PtNDArray answers = operations.apply(pair.discriminator(), judged, tensors, pass);
        float[] values = floats(answers);
        float[] slope = new float[values.length];
        double loss = pair.loss().mean(values, real, share, slope);
        Autograd.backward(answers, slopes.tensor(step, slope, answers.getShape()));
        return loss;
    }

    /** The generator's gradient goes through the discriminator, which does not learn from it. */
    private Map<String, PtNDArray> frozenDiscriminator(
            PtNDManager step, Map<String, PtNDArray> tensors) {
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

    private PtNDArray latent(PtNDManager step, int count, long seed) {
        float[] values = Noise.normal(seed, count * pair.latent());
        return noise.tensor(step, values, new Shape(count, pair.latent()));
    }

    private PtNDArray image(PtNDManager step, float[] values, int count) {
        int[] shape = pair.image();
        return images.tensor(step, values, new Shape(count, shape[0], shape[1], shape[2]));
    }

    /** From pixels of 0 to 1 to values of −1 to 1, which a generator ends with. */
    private static float[] scaled(float[] samples) {
        float[] values = new float[samples.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = 2 * samples[i] - 1;
        }
        return values;
    }

    @Override
    public synchronized long workingSet() {
        return workingSet.bytes();
    }

    /** Mean of both losses in evaluation mode, noise always the same; there is no accuracy. */
    @Override
    public synchronized Evaluation evaluate(float[] flat, Dataset data) {
        return Evaluations.unscored(data, batch -> loss(flat, batch));
    }

    /** Sum over a batch. */
    private double loss(float[] flat, Batch batch) {
        check(flat, batch);
        Natives.oneThread();
        parameters.load(flat);
        int count = batch.size();
        try (Autograd off = Autograd.off();
                PtNDManager step = manager.newSubManager(manager.getDevice())) {
            Map<String, PtNDArray> tensors = parameters.tensors(step, false);
            PtNDArray made = evaluated(pair.generator(), latent(step, count, 0), tensors);
            float[] onMade = floats(evaluated(pair.discriminator(), made, tensors));
            PtNDArray real = image(step, scaled(batch.features()), count);
            float[] onReal = floats(evaluated(pair.discriminator(), real, tensors));
            return count
                    * (pair.loss().mean(onMade, true, 1, null)
                            + pair.loss().mean(onReal, true, 0.5, null)
                            + pair.loss().mean(onMade, false, 0.5, null));
        }
    }

    private PtNDArray evaluated(
            List<Layer> layers, PtNDArray input, Map<String, PtNDArray> tensors) {
        return operations.apply(layers, input, tensors, Pass.EVALUATION);
    }

    private static float[] floats(PtNDArray array) {
        float[] values = new float[Math.toIntExact(array.size())];
        array.toByteBuffer(true).asFloatBuffer().get(values);
        return values;
    }

    private void check(float[] flat, Batch batch) {
        if (!manager.isOpen()) {
            throw new IllegalStateException("the learner is closed");
        }
        Arguments.check(flat, size, batch, pixels);
    }

    @Override
    public synchronized void close() {
        manager.close();
    }
}
