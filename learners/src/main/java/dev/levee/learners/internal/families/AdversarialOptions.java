package dev.levee.learners.internal.families;

import dev.levee.learners.internal.network.AdversarialLoss;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Options after the name of a generative model: {@code key=value}, separated by commas. */
final class AdversarialOptions {
    private static final String LATENT = "latent";
    private static final String LOSS = "loss";
    private static final int USUAL_LATENT = 100;

    private final String model;
    private final Map<String, String> values = new HashMap<>();

    /**
     * Parses options.
     *
     * @param model name of the model, for messages
     * @param text the options as the user wrote them
     * @param known the valid keys
     * @param form the form of the model's options, in words
     * @throws IllegalArgumentException if the text has an unknown key, or a key twice; one sentence
     */
    AdversarialOptions(String model, String text, List<String> known, String form) {
        this.model = model;
        for (String option : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = option.indexOf('=');
            String key = equals < 0 ? option : option.substring(0, equals).strip();
            if (equals < 0 || !known.contains(key)) {
                throw new IllegalArgumentException(
                        "%s takes %s, got %s".formatted(model, form, option.strip()));
            }
            if (values.put(key, option.substring(equals + 1).strip()) != null) {
                throw new IllegalArgumentException(model + " has " + key + " twice");
            }
        }
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    String text(String key) {
        return values.get(key);
    }

    int latent() {
        return has(LATENT) ? whole(LATENT) : USUAL_LATENT;
    }

    int whole(String key) {
        String value = values.get(key);
        try {
            int number = Integer.parseInt(value);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(notWhole(key, value), e);
        }
        throw new IllegalArgumentException(notWhole(key, value));
    }

    private String notWhole(String key, String value) {
        return "%s: %s must be a whole number of at least 1, got %s".formatted(model, key, value);
    }

    AdversarialLoss loss(AdversarialLoss usual) {
        String word = values.getOrDefault(LOSS, usual.word());
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
                "%s: loss must be %s, got %s".formatted(model, words, word));
    }
}
