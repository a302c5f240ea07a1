package dev.levee.learners;

import dev.levee.learners.internal.djl.AdversarialModel;
import dev.levee.learners.internal.network.AdversarialLoss;
import dev.levee.learners.internal.network.AdversarialNetworks;
import dev.levee.learners.internal.network.AdversarialPair;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * {@code NAME} or {@code NAME:width=N,latent=N,loss=squares|cross-entropy}, each of which may be
 * left out: two networks of the data's own image size.
 */
final class AdversarialModels implements ModelFactory {
    private static final List<String> OPTIONS = List.of("width", "latent", "loss");
    private static final String LATENT = "100";

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

    static ModelFactory lsgan() {
        return new AdversarialModels(
                "lsgan",
                AdversarialNetworks::lsgan,
                AdversarialNetworks::lsganWidth,
                AdversarialLoss.SQUARES);
    }

    static ModelFactory upsampleDcgan() {
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
        Map<String, String> options = options(argument);
        int latent = whole(options.getOrDefault("latent", LATENT), "latent");
        int chosen =
                options.containsKey("width")
                        ? whole(options.get("width"), "width")
                        : width.applyAsInt(shape);
        return new AdversarialModel(build.pair(shape, chosen, latent, loss(options)));
    }

    private Map<String, String> options(String text) {
        Map<String, String> options = new HashMap<>();
        for (String option : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = option.indexOf('=');
            String key = equals < 0 ? option : option.substring(0, equals).strip();
            if (equals < 0 || !OPTIONS.contains(key)) {
                throw new IllegalArgumentException(
                        "%s takes width=N, latent=N and loss=squares or cross-entropy, got %s"
                                .formatted(name, option.strip()));
            }
            if (options.put(key, option.substring(equals + 1).strip()) != null) {
                throw new IllegalArgumentException(name + " has " + key + " twice");
            }
        }
        return options;
    }

    private int whole(String value, String option) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(notWhole(value, option), e);
        }
        throw new IllegalArgumentException(notWhole(value, option));
    }

    private String notWhole(String value, String option) {
        return "%s: %s must be a whole number of at least 1, got %s".formatted(name, option, value);
    }

    private AdversarialLoss loss(Map<String, String> options) {
        String word = options.getOrDefault("loss", loss.word());
        for (AdversarialLoss each : AdversarialLoss.values()) {
            if (each.word().equals(word)) {
                return each;
            }
        }
        String words =
                Arrays.stream(AdversarialLoss.values())
                        .map(AdversarialLoss::word)
                        .collect(Collectors.joining(" or "));
        throw new IllegalArgumentException(
                "%s: loss must be %s, got %s".formatted(name, words, word));
    }
}
