package dev.levee.learners.internal.families;

import dev.levee.learners.Model;
import dev.levee.learners.ModelFactory;
import dev.levee.learners.internal.djl.script.ScriptedPair;
import dev.levee.learners.internal.network.AdversarialLoss;

import java.util.Arrays;
import java.util.List;

/**
 * Creates models named {@code files:generator=PATH,discriminator=PATH,latent=N,loss=…}: a user's
 * own generator and discriminator.
 */
public final class AdversarialFiles implements ModelFactory {
    private static final String GENERATOR = "generator";
    private static final String DISCRIMINATOR = "discriminator";
    private static final List<String> OPTIONS = List.of(GENERATOR, DISCRIMINATOR, "latent", "loss");

    @Override
    public String name() {
        return "files";
    }

    @Override
    public String form() {
        return "files:generator=PATH,discriminator=PATH";
    }

    @Override
    public Model create(String argument, int[] shape, int classes) {
        AdversarialOptions options =
                new AdversarialOptions(
                        name(),
                        argument,
                        OPTIONS,
                        "generator=PATH, discriminator=PATH, latent=N and loss=squares or"
                                + " cross-entropy");
        for (String half : List.of(GENERATOR, DISCRIMINATOR)) {
            if (!options.has(half)) {
                throw new IllegalArgumentException(
                        "files: lacks the TorchScript file of the %s: write %s=PATH"
                                .formatted(half, half));
            }
        }
        if (shape.length != 3) {
            throw new IllegalArgumentException(
                    "files: makes images (channels, height, width), but the data set has samples of shape %s"
                            .formatted(Arrays.toString(shape)));
        }
        return ScriptedPair.open(
                options.text(GENERATOR),
                options.text(DISCRIMINATOR),
                shape,
                options.latent(),
                options.loss(AdversarialLoss.SQUARES));
    }
}
