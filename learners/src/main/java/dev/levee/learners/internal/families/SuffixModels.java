package dev.levee.learners.internal.families;

import dev.levee.learners.FlatVector;
import dev.levee.learners.Model;
import dev.levee.learners.ModelFactory;
import dev.levee.learners.WrappedModel;
import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.PretrainedWeights;
import dev.levee.learners.layers.Section;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Creates models named {@code suffix:NETWORK?layer=K&size=S&weights=FILE}: the part of a network
 * after layer K, to be trained on features. The features are the outputs of the part before it for
 * images of S×S. That part also contains the steps after layer K that can be pushed down ({@link
 * LayeredNetwork#pushedDown}). Without a file of weights, training starts from initial values.
 */
public final class SuffixModels implements ModelFactory {
    private static final Set<String> OPTIONS = Set.of("layer", "size", "weights");

    @Override
    public String name() {
        return "suffix";
    }

    @Override
    public String form() {
        return "suffix:NETWORK?layer=K&size=S";
    }

    @Override
    public Model create(String argument, int[] shape, int classes) {
        int question = argument.indexOf('?');
        String network = question < 0 ? argument : argument.substring(0, question);
        Map<String, String> options = options(question < 0 ? "" : argument.substring(question + 1));
        int side = whole(options, "size", 224);
        LayeredNetwork whole = LayeredNetwork.open(network, new int[] {3, side, side}, classes);
        int layer = whole(options, "layer", whole.freezeIndex());
        Cut cut = whole.pushedDown(whole.after(layer));
        Section suffix = whole.section(cut, whole.end());
        if (!Arrays.equals(suffix.input(), shape)) {
            throw new IllegalArgumentException(
                    "suffix:%s takes %s values behind layer %d, but the data set has %s"
                            .formatted(argument, text(suffix.input()), layer, text(shape)));
        }
        Model model = suffix.model();
        return options.containsKey("weights")
                ? new Pretrained(model, whole, suffix, Path.of(options.get("weights")))
                : model;
    }

    private Map<String, String> options(String text) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String option : text.isEmpty() ? new String[0] : text.split("&")) {
            int equals = option.indexOf('=');
            if (equals < 1 || !OPTIONS.contains(option.substring(0, equals))) {
                throw new IllegalArgumentException(
                        "the model suffix: takes layer, size and weights, got " + option);
            }
            String name = option.substring(0, equals);
            if (options.put(name, option.substring(equals + 1)) != null) {
                throw new IllegalArgumentException(
                        "the model suffix: has the option " + name + " twice: " + text);
            }
        }
        return options;
    }

    private static int whole(Map<String, String> options, String name, int otherwise) {
        String value = options.getOrDefault(name, Integer.toString(otherwise));
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "the model suffix: needs a whole number for " + name + ", got " + value, e);
        }
    }

    private static String text(int[] shape) {
        return Arrays.stream(shape).mapToObj(Integer::toString).collect(Collectors.joining("×"));
    }

    /** A model whose initial parameters are its part of a file of weights. */
    private record Pretrained(Model model, LayeredNetwork network, Section suffix, String file)
            implements WrappedModel {
        Pretrained(Model model, LayeredNetwork network, Section suffix, Path file) {
            this(model, network, suffix, file.toString());
        }

        @Override
        public float[] initialParameters(long seed) {
            return suffix.parameters(PretrainedWeights.read(Path.of(file), network, seed).values());
        }

        @Override
        public FlatVector initial(long seed) {
            return FlatVector.of(initialParameters(seed));
        }
    }
}
