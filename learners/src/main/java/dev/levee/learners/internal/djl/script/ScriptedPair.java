package dev.levee.learners.internal.djl.script;

import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.internal.djl.PyTorch;
import dev.levee.learners.internal.network.AdversarialLoss;

import java.util.Objects;

/**
 * A user's own generator and discriminator, a TorchScript file each. As with {@link
 * TorchScriptModel} the files are read again wherever a learner is created, and initial values are
 * those in them, whatever the seed.
 */
public final class ScriptedPair implements GenerativeModel {
    private static final long serialVersionUID = 1;

    private final String generatorPath;
    private final String discriminatorPath;
    private final int[] image;
    private final int latent;
    private final AdversarialLoss loss;
    private final Layout layout;

    /**
     * Opens two files and tries them.
     *
     * @param generatorPath turns noise of shape (n, latent) into images of −1 to 1, (n, c, h, w)
     * @param discriminatorPath turns such images into a number each, (n, 1) or (n), the higher the
     *     more they look real
     * @param image shape of an image
     * @throws IllegalArgumentException if a file is not TorchScript, or does not do that
     */
    public ScriptedPair(
            String generatorPath,
            String discriminatorPath,
            int[] image,
            int latent,
            AdversarialLoss loss) {
        this.generatorPath = Objects.requireNonNull(generatorPath);
        this.discriminatorPath = Objects.requireNonNull(discriminatorPath);
        this.image = image.clone();
        this.latent = latent;
        this.loss = loss;
        layout = TorchScript.layout(this);
    }

    @Override
    public String name() {
        return "files:generator=%s,discriminator=%s,latent=%d,loss=%s"
                .formatted(generatorPath, discriminatorPath, latent, loss.word());
    }

    /** The generator's file, on any file system that Flink knows. */
    public String generatorPath() {
        return generatorPath;
    }

    /** The discriminator's file. */
    public String discriminatorPath() {
        return discriminatorPath;
    }

    /** Loss of both. */
    public AdversarialLoss loss() {
        return loss;
    }

    @Override
    public int latent() {
        return latent;
    }

    @Override
    public int[] image() {
        return image.clone();
    }

    @Override
    public Layout layout() {
        return layout;
    }

    @Override
    public float[] initialParameters(long seed) {
        return TorchScript.initialParameters(this);
    }

    @Override
    public void requireNatives() {
        PyTorch.require();
    }

    @Override
    public Learner newLearner() {
        return TorchScript.learner(this);
    }

    @Override
    public float[] generate(float[] parameters, int count, long seed) {
        return TorchScript.generate(this, generator().of(parameters), count, seed);
    }

    @Override
    public String toString() {
        return name();
    }
}
