package dev.levee.learners.internal.families;

import dev.levee.learners.Model;
import dev.levee.learners.ModelFactory;
import dev.levee.learners.internal.djl.AdversarialModel;
import dev.levee.learners.internal.network.AdversarialLoss;
import dev.levee.learners.internal.network.AdversarialNetworks;
import dev.levee.learners.internal.network.AdversarialPair;

import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Creates models named {@code NAME} or {@code NAME:width=N,latent=N,loss=squares|cross-entropy}.
 * Each option may be left out. The two networks have the image size of the data.
 */
public final class AdversarialModels implements ModelFactory {
    private static final List<String> OPTIONS = List.of("width", "latent", "loss");
    private static final String FORM = "width=N, latent=N and loss=squares or cross-entropy";

    private interface Build {
        AdversarialPair pair(int[] image, int width, int latent, AdversarialLoss loss);
    }

    private final String name;
    private final Build build;
    private final ToIntFunction<int[]> width;
    private final AdversarialLoss loss;

    private AdversarialModels(
            String name, Build build, ToIntFunction<int[]> width, AdversarialLoss loss) {
        this.name = name;
        this.build = build;
        this.width = width;
        this.loss = loss;
    }

    public static ModelFactory lsgan() {
        return new AdversarialModels(
                "lsgan",
                AdversarialNetworks::lsgan,
                AdversarialNetworks::lsganWidth,
                AdversarialLoss.SQUARES);
    }

    public static ModelFactory upsampleDcgan() {
        return new AdversarialModels(
                "upsample-dcgan",
                AdversarialNetworks::upsampleDcgan,
                AdversarialNetworks::dcganWidth,
                AdversarialLoss.CROSS_ENTROPY);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Model create(String argument, int[] shape, int classes) {
        AdversarialOptions options = new AdversarialOptions(name, argument, OPTIONS, FORM);
        int chosen = options.has("width") ? options.whole("width") : width.applyAsInt(shape);
        return new AdversarialModel(
                build.pair(shape, chosen, options.latent(), options.loss(loss)));
    }
}
