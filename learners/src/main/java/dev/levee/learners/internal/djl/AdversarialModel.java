package dev.levee.learners.internal.djl;

import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.internal.Noise;
import dev.levee.learners.internal.network.AdversarialPair;
import dev.levee.learners.layers.Forward;

/** A generator and a discriminator that PyTorch trains. */
public record AdversarialModel(AdversarialPair pair) implements GenerativeModel {
    /** Number of images that go through the generator together. */
    private static final int MICRO_BATCH = 64;

    @Override
    public String name() {
        return pair.name();
    }

    @Override
    public Layout layout() {
        return pair.layout();
    }

    @Override
    public float[] initialParameters(long seed) {
        return pair.initialParameters(seed);
    }

    @Override
    public void requireNatives() {
        PyTorch.require();
    }

    @Override
    public Learner newLearner() {
        return PyTorch.learner(this);
    }

    @Override
    public int latent() {
        return pair.latent();
    }

    @Override
    public int[] image() {
        return pair.image();
    }

    @Override
    public float[] generate(float[] parameters, int count, long seed) {
        float[] own = generator().of(parameters);
        int[] noise = {pair.latent()};
        try (Forward forward = PyTorch.forward(pair.generator(), noise, own, MICRO_BATCH)) {
            float[] values = forward.outputs(Noise.normal(seed, count * pair.latent()), count);
            for (int i = 0; i < values.length; i++) {
                values[i] = (values[i] + 1) / 2;
            }
            return values;
        }
    }

    @Override
    public String toString() {
        return pair.name();
    }
}
