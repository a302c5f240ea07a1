package dev.levee.learners.internal.djl.script;

import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.internal.djl.PyTorch;
import dev.levee.learners.internal.network.AdversarialLoss;

/**
 * A user's own generator and discriminator, each in a TorchScript file. As with {@link
 * TorchScriptModel}, the files are read again wherever a learner is created. Initial values come
 * from the files and do not depend on the seed.
 *
 * @param generatorPath path of the generator, on any file system that Flink supports; it turns
 *     noise of shape (n, latent) into images of shape (n, c, h, w) with values from −1 to 1
 * @param discriminatorPath path of the discriminator; it turns such images into one number each, of
 *     shape (n, 1) or (n), which is higher for images that look more real
 * @param image shape of an image
 * @param loss loss of both networks
 * @param layout layout of both files' tensors
 */
public record ScriptedPair(
        String generatorPath,
        String discriminatorPath,
        int[] image,
        int latent,
        AdversarialLoss loss,
        Layout layout)
        implements GenerativeModel {
    /**
     * Opens two files and tries them.
     *
     * @throws IllegalArgumentException if a file is not TorchScript, or its module does not have
     *     these inputs and outputs
     */
    public static ScriptedPair open(
            String generatorPath,
            String discriminatorPath,
            int[] image,
            int latent,
            AdversarialLoss loss) {
        ScriptedPair untried =
                new ScriptedPair(generatorPath, discriminatorPath, image, latent, loss, null);
        return new ScriptedPair(
                generatorPath,
                discriminatorPath,
                image,
                latent,
                loss,
                PyTorch.loaded(() -> ScriptPasses.check(untried)));
    }

    @Override
    public String name() {
        return "files:generator=%s,discriminator=%s,latent=%d,loss=%s"
                .formatted(generatorPath, discriminatorPath, latent, loss.word());
    }

    @Override
    public float[] initialParameters(long seed) {
        return PyTorch.loaded(() -> ScriptPasses.initialParameters(this));
    }

    @Override
    public void requireNatives() {
        PyTorch.require();
    }

    @Override
    public Learner newLearner() {
        return PyTorch.loaded(() -> ScriptPasses.learner(this));
    }

    @Override
    public float[] generate(float[] parameters, int count, long seed) {
        float[] own = generator().of(parameters);
        return PyTorch.loaded(() -> ScriptPasses.generate(this, own, count, seed));
    }

    @Override
    public String toString() {
        return name();
    }
}
