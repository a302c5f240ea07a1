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
import dev.levee.learners.internal.djl.natives.Autograd;
import dev.levee.learners.internal.djl.natives.Natives;
import dev.levee.learners.internal.djl.natives.Scratch;
import dev.levee.learners.internal.djl.natives.WorkingSet;
import dev.levee.learners.internal.network.AdversarialLoss;

import java.util.stream.IntStream;

/**
 * Computes gradients of a generator and its discriminator on one batch, in three passes. The first
 * pass sends noise through both networks for the generator's loss. The second pass sends the real
 * batch through the discriminator. The third pass sends the generated images through the
 * discriminator, without a gradient back to the generator. The loss of a batch is the generator's
 * loss plus the discriminator's loss, which is half the loss on real images plus half the loss on
 * generated images.
 *
 * <p>Each pass runs its backward pass before the next pass begins, because masks share memory.
 */
public final class AdversarialLearner implements Learner {
    private final PairPasses networks;
    private final int size;
    private final int[] image;
    private final int latent;
    private final AdversarialLoss criterion;
    private final int pixels;
    private final PtNDManager manager;
    private final Scratch noise;
    private final Scratch images;
    private final Scratch slopes;
    private final WorkingSet workingSet = new WorkingSet();

    /**
     * Creates a learner.
     *
     * @param manager manager that the learner closes
     * @param networks the passes; the manager holds their values
     */
    public AdversarialLearner(
            PtNDManager manager,
            PairPasses networks,
            GenerativeModel model,
            AdversarialLoss criterion) {
        this.manager = manager;
        this.networks = networks;
        this.criterion = criterion;
        size = model.layout().size();
        image = model.image();
        latent = model.latent();
        pixels = IntStream.of(image).reduce(1, Math::multiplyExact);
        noise = new Scratch(manager);
        images = new Scratch(manager);
        slopes = new Scratch(manager);
    }

    /** Creates a learner of two networks of layers. */
    static AdversarialLearner of(AdversarialModel model) {
        PtNDManager manager = Natives.newManager();
        PairPasses networks = new LayerPasses(manager, model.pair());
        return new AdversarialLearner(manager, networks, model, model.pair().loss());
    }

    @Override
    public synchronized Gradient gradient(float[] flat, Batch batch, long seed) {
        check(flat, batch);
        return WorkingSet.within(() -> step(flat, batch, seed));
    }

    private Gradient step(float[] flat, Batch batch, long seed) {
        Natives.oneThread();
        int count = batch.size();
        try (Autograd recording = Autograd.recording();
                PtNDManager step = manager.newSubManager(manager.getDevice())) {
            networks.begin(step, flat, true);
            // Each pass has its own masks, as if a framework drew them one after another.
            Passes passes = new Passes(seed);
            PtNDArray made = networks.make(latent(step, count, seed), passes.next());
            double loss = judge(step, made, true, 1, false, passes.next());
            // Copy the images before either network makes a step.
            float[] fakes = Natives.floats(made);
            PtNDArray real = image(step, scaled(batch.features()), count);
            loss += judge(step, real, true, 0.5, true, passes.next());
            PtNDArray fake = image(step, fakes, count);
            loss += judge(step, fake, false, 0.5, true, passes.next());
            long besides = (long) Float.BYTES * (size + 2L * count * pixels);
            workingSet.measure(count, step, besides);
            return new Gradient(networks.collect(), loss);
        }
    }

    /** The passes of one step, each with its own masks. */
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

    /** Computes the discriminator's loss on images, and sends its gradient back to every leaf. */
    private double judge(
            PtNDManager step,
            PtNDArray judged,
            boolean real,
            double share,
            boolean learns,
            Pass pass) {
        PtNDArray answers = networks.judge(judged, learns, pass);
        float[] values = Natives.floats(answers);
        float[] slope = new float[values.length];
        double loss = criterion.mean(values, real, share, slope);
        Autograd.backward(answers, slopes.tensor(step, slope, answers.getShape()));
        return loss;
    }

    private PtNDArray latent(PtNDManager step, int count, long seed) {
        float[] values = Noise.normal(seed, count * latent);
        return noise.tensor(step, values, new Shape(count, latent));
    }

    private PtNDArray image(PtNDManager step, float[] values, int count) {
        return images.tensor(step, values, new Shape(count, image[0], image[1], image[2]));
    }

    /** Scales pixels from [0, 1] to [−1, 1], the range of a generator's output. */
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

    /**
     * Computes the mean of both losses in evaluation mode, always with the same noise. There is no
     * accuracy.
     */
    @Override
    public synchronized Evaluation evaluate(float[] flat, Dataset data) {
        return Evaluations.unscored(data, batch -> loss(flat, batch));
    }

    /** The sum of the losses over a batch. */
    private double loss(float[] flat, Batch batch) {
        check(flat, batch);
        Natives.oneThread();
        int count = batch.size();
        try (Autograd off = Autograd.off();
                PtNDManager step = manager.newSubManager(manager.getDevice())) {
            networks.begin(step, flat, false);
            PtNDArray made = networks.make(latent(step, count, 0), Pass.EVALUATION);
            float[] onMade = Natives.floats(networks.judge(made, true, Pass.EVALUATION));
            PtNDArray real = image(step, scaled(batch.features()), count);
            float[] onReal = Natives.floats(networks.judge(real, true, Pass.EVALUATION));
            return count
                    * (criterion.mean(onMade, true, 1, null)
                            + criterion.mean(onReal, true, 0.5, null)
                            + criterion.mean(onMade, false, 0.5, null));
        }
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
