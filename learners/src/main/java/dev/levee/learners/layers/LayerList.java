package dev.levee.learners.layers;

import dev.levee.learners.internal.network.Activation;
import dev.levee.learners.internal.network.Convolution;
import dev.levee.learners.internal.network.Dense;
import dev.levee.learners.internal.network.InitialValues;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Network;
import dev.levee.learners.internal.network.Normalisation;
import dev.levee.learners.internal.network.Pooling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A user's own list of layers, such as {@code conv(16,3,1,1); relu; maxpool(2); flatten; dense}.
 * The layers are those of torch's {@code nn.Sequential}, and tensors have the same names ({@code
 * 0.weight}). Without given weights, they start from torch's initial values.
 *
 * <table>
 *   <caption>Layers; what is in brackets may be left out</caption>
 *   <tr><td>{@code conv(outputs, kernel [, stride = 1 [, padding = 0]])}</td><td>Conv2d</td></tr>
 *   <tr><td>{@code batchnorm}</td><td>BatchNorm2d</td></tr>
 *   <tr><td>{@code relu}, {@code tanh}, {@code leakyrelu(slope)}</td><td>the same</td></tr>
 *   <tr><td>{@code maxpool(kernel [, stride = kernel [, padding = 0]])}</td><td>MaxPool2d</td></tr>
 *   <tr><td>{@code avgpool(kernel [, stride = kernel])}</td><td>AvgPool2d</td></tr>
 *   <tr><td>{@code avggrid(extent)}</td><td>AdaptiveAvgPool2d</td></tr>
 *   <tr><td>{@code dropout(probability)}</td><td>Dropout</td></tr>
 *   <tr><td>{@code flatten}</td><td>Flatten</td></tr>
 *   <tr><td>{@code dense(outputs)}; {@code dense}, the last, one for each class</td><td>Linear</td></tr>
 * </table>
 */
public final class LayerList {
    /** Prefix of the names of networks that are a list of layers. */
    public static final String PREFIX = "layers:";

    private static final Pattern FORM = Pattern.compile("([a-z]+)(?:\\(([^()]*)\\))?");
    private static final int MOST_LAYERS = 1000;

    /** A kind of layer, with the minimum and maximum number of its arguments. */
    private enum Kind {
        CONV(2, 4),
        BATCHNORM(0, 0),
        RELU(0, 0),
        TANH(0, 0),
        LEAKYRELU(1, 1),
        MAXPOOL(1, 3),
        AVGPOOL(1, 2),
        AVGGRID(1, 1),
        DROPOUT(1, 1),
        FLATTEN(0, 0),
        DENSE(0, 1);

        private final int least;
        private final int most;

        Kind(int least, int most) {
            this.least = least;
            this.most = most;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One layer as the user wrote it. */
    private record Item(int index, Kind kind, List<String> numbers) {
        IllegalArgumentException wrong(String why) {
            return new IllegalArgumentException("layer %d, %s: %s".formatted(index, this, why));
        }

        int whole(int which, int otherwise, int least) {
            if (which >= numbers.size()) {
                return otherwise;
            }
            String number = numbers.get(which);
            if (!number.matches("\\d{1,6}") || Integer.parseInt(number) < least) {
                throw wrong(
                        "number %d must be a whole number from %d to 999999, got %s"
                                .formatted(which + 1, least, number));
            }
            return Integer.parseInt(number);
        }

        double fraction() {
            String number = numbers.get(0);
            if (!number.matches("0?\\.\\d{1,9}|0")) {
                throw wrong("the number must be at least 0 and below 1, got " + number);
            }
            return Double.parseDouble(number);
        }

        @Override
        public String toString() {
            return kind.word() + (numbers.isEmpty() ? "" : "(" + String.join(",", numbers) + ")");
        }
    }

    private final List<Item> items;

    private LayerList(List<Item> items) {
        this.items = List.copyOf(items);
    }

    /**
     * Parses layers, which are separated by semicolons or line breaks. Text from {@code #} to the
     * end of a line is a comment.
     *
     * @throws IllegalArgumentException if an entry is not a layer; one sentence
     */
    public static LayerList parse(String text) {
        List<Item> items = new ArrayList<>();
        for (String line : text.split("[\\r\\n]+", -1)) {
            for (String word : line.replaceAll("#.*", "").split(";", -1)) {
                if (!word.isBlank()) {
                    items.add(item(items.size(), word.replaceAll("\\s", "")));
                }
            }
        }
        if (items.isEmpty() || items.size() > MOST_LAYERS) {
            throw new IllegalArgumentException(
                    "a network needs 1 to %d layers, got %d".formatted(MOST_LAYERS, items.size()));
        }
        return new LayerList(items);
    }

    /**
     * Reads a file of layers.
     *
     * @throws IllegalArgumentException if the file cannot be read or an entry is not a layer; one
     *     sentence
     */
    public static LayerList read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the layers in %s cannot be read: %s"
                            .formatted(file, e.getClass().getSimpleName()),
                    e);
        }
    }

    private static Item item(int index, String word) {
        Matcher matcher = FORM.matcher(word);
        if (matcher.matches()) {
            String inside = matcher.group(2);
            List<String> numbers =
                    inside == null || inside.isEmpty() ? List.of() : List.of(inside.split(",", -1));
            for (Kind kind : Kind.values()) {
                if (!kind.word().equals(matcher.group(1))) {
                    continue;
                }
                if (numbers.size() < kind.least || numbers.size() > kind.most) {
                    throw new IllegalArgumentException(
                            "layer %d, %s: %s takes %d to %d numbers"
                                    .formatted(index, word, kind.word(), kind.least, kind.most));
                }
                return new Item(index, kind, numbers);
            }
        }
        throw new IllegalArgumentException(
                "layer %d must be one of %s, got %s"
                        .formatted(
                                index,
                                Arrays.stream(Kind.values())
                                        .map(Kind::word)
                                        .collect(Collectors.joining(", ")),
                                word));
    }

    /** The layers in one line that {@link #parse} can read. */
    String text() {
        return items.stream().map(Item::toString).collect(Collectors.joining(";"));
    }

    /** The name under which {@link LayeredNetwork#open} opens these layers. */
    public String name() {
        return PREFIX + text();
    }

    /** Number of layers. */
    public int size() {
        return items.size();
    }

    /**
     * The network of these layers.
     *
     * @throws IllegalArgumentException if a layer does not accept the output of the layer before
     *     it; one sentence
     */
    public Network network(int[] shape, int classes) {
        List<Layer> layers = new ArrayList<>();
        int[] at = shape;
        Item last = items.get(items.size() - 1);
        if (last.kind() != Kind.DENSE) {
            throw last.wrong(
                    "the last layer must be dense, because it has an output for each class");
        }
        try {
            for (Item item : items) {
                Layer layer = layer(item, at, classes);
                at = output(layer, at);
                layers.add(layer);
            }
            return new Network(name(), shape, classes, layers);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    name() + " has more values than an array can hold", e);
        }
    }

    private static int[] output(Layer layer, int[] input) {
        try {
            return layer.output(input);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("layer " + e.getMessage(), e);
        }
    }

    private Layer layer(Item item, int[] input, int classes) {
        String name = Integer.toString(item.index());
        return switch (item.kind()) {
            case CONV -> convolution(item, name, images(item, input)[0]);
            case BATCHNORM -> new Normalisation.Batch(name, images(item, input)[0]);
            case RELU -> new Activation.Relu(name);
            case TANH -> new Activation.Tanh(name);
            case LEAKYRELU -> new Activation.LeakyRelu(name, item.fraction());
            case MAXPOOL -> {
                int kernel = item.whole(0, 0, 1);
                int padding = item.whole(2, 0, 0);
                if (2 * padding > kernel) {
                    throw item.wrong("padding must be at most half of the kernel");
                }
                yield new Pooling.Max(name, kernel, item.whole(1, kernel, 1), padding);
            }
            case AVGPOOL -> {
                int kernel = item.whole(0, 0, 1);
                yield new Pooling.Average(name, kernel, item.whole(1, kernel, 1));
            }
            case AVGGRID -> new Pooling.AverageGrid(name, item.whole(0, 0, 1));
            case DROPOUT -> new Activation.Dropout(name, 1 - item.fraction());
            case FLATTEN -> new Activation.Flatten(name);
            case DENSE -> dense(item, name, input, classes);
        };
    }

    private static int[] images(Item item, int[] input) {
        if (input.length != 3) {
            throw item.wrong("it takes (channels, height, width), got " + Arrays.toString(input));
        }
        return input;
    }

    private static Layer convolution(Item item, String name, int inputs) {
        int kernel = item.whole(1, 0, 1);
        InitialValues initial = uniform((long) inputs * kernel * kernel);
        return new Convolution(
                name,
                inputs,
                item.whole(0, 0, 1),
                kernel,
                item.whole(2, 1, 1),
                item.whole(3, 0, 0),
                initial,
                initial);
    }

    private Layer dense(Item item, String name, int[] input, int classes) {
        if (input.length != 1) {
            throw item.wrong("it takes a single row of values; put flatten before it");
        }
        boolean last = item.index() == items.size() - 1;
        if (item.numbers().isEmpty() != last) {
            throw item.wrong(
                    last
                            ? "the last layer has an output for each class: leave the number "
                                    + "out"
                            : "only the last layer has an output for each class: give the "
                                    + "number");
        }
        InitialValues initial = uniform(input[0]);
        return new Dense(name, input[0], item.whole(0, classes, 1), initial, initial);
    }

    /** Torch's default for weights and biases: uniform between −1/√fan and 1/√fan. */
    private static InitialValues uniform(long fan) {
        return new InitialValues.Uniform(1 / Math.sqrt(fan));
    }
}
