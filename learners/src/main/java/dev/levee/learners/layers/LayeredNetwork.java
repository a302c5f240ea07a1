package dev.levee.learners.layers;

import dev.levee.learners.Layout;
import dev.levee.learners.internal.network.Activation;
import dev.levee.learners.internal.network.Architectures;
import dev.levee.learners.internal.network.ConvolutionalNets;
import dev.levee.learners.internal.network.DenseNets;
import dev.levee.learners.internal.network.InnerOutputs;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Network;
import dev.levee.learners.internal.network.Normalisation;
import dev.levee.learners.internal.network.Pooling;
import dev.levee.learners.internal.network.ResNets;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * A network that can be cut between its layers, so that the first layers run on one machine and the
 * others on another. Layers are numbered from 0, as in HAPI (thesis, chapter 5). A residual or
 * dense block is one layer. Steps that torchvision combines in one module or function, such as the
 * flattening before a dense layer, are also one layer. Shapes, bytes and numbers of parameters are
 * known without native libraries.
 */
public final class LayeredNetwork implements Serializable {
    private static final long serialVersionUID = 1;

    /** The built-in networks, each with its layer of several steps and the last layer to freeze. */
    private enum BuiltIn {
        ALEXNET(ConvolutionalNets::alexNet, 17, Grouping.NONE),
        RESNET18(ResNets::resNet18, 11, Grouping.NONE),
        RESNET50(ResNets::resNet50, 20, Grouping.NONE),
        VGG11(ConvolutionalNets::vgg11, 25, new Grouping(21, 3)),
        VGG19(ConvolutionalNets::vgg19, 36, new Grouping(38, 2)),
        DENSENET121(DenseNets::denseNet121, 20, new Grouping(21, 3)),
        CIFARNET(Architectures::cifarNet, 10, Grouping.NONE);

        private final BiFunction<int[], Integer, Network> factory;
        private final int freeze;
        private final Grouping grouping;

        BuiltIn(BiFunction<int[], Integer, Network> factory, int freeze, Grouping grouping) {
            this.factory = factory;
            this.freeze = freeze;
            this.grouping = grouping;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The only layer of a network that has several steps.
     *
     * @param layer the layer's index
     * @param steps the layer's number of steps
     */
    private record Grouping(int layer, int steps) {
        static final Grouping NONE = new Grouping(0, 1);

        /** The number of steps before each layer; the last element is the number of all steps. */
        int[] starts(int all) {
            int layers = all - steps + 1;
            return IntStream.rangeClosed(0, layers)
                    .map(i -> i <= layer ? i : i + steps - 1)
                    .toArray();
        }
    }

    private final Network network;
    private final int freeze;
    private final int[] starts;

    private LayeredNetwork(Network network, int freeze, Grouping grouping) {
        this.network = network;
        this.freeze = freeze;
        this.starts = grouping.starts(network.layers().size());
    }

    /**
     * Opens a network by name: one of {@link #names()}, or {@link LayerList#name()} of a user's own
     * layers. By default, all of a user's own layers but the last are frozen.
     *
     * @param shape shape of one sample, (3, height, width)
     * @param classes number of classes, at least 2
     * @throws IllegalArgumentException if the name is unknown or the network does not take samples
     *     of this shape; one sentence
     */
    public static LayeredNetwork open(String name, int[] shape, int classes) {
        if (classes < 2) {
            throw new IllegalArgumentException(
                    "a network needs at least 2 classes, got " + classes);
        }
        if (name.startsWith(LayerList.PREFIX)) {
            LayerList own = LayerList.parse(name.substring(LayerList.PREFIX.length()));
            return new LayeredNetwork(own.network(shape, classes), own.size() - 2, Grouping.NONE);
        }
        for (BuiltIn each : BuiltIn.values()) {
            if (each.label().equals(name)) {
                return new LayeredNetwork(
                        each.factory.apply(shape, classes), each.freeze, each.grouping);
            }
        }
        throw new IllegalArgumentException(
                "unknown network " + name + ": there are " + String.join(", ", names()));
    }

    /**
     * A layered network of a network's steps. A built-in network has the same layers as in {@link
     * #open}. In any other network, each step is a layer, and all layers but the last are frozen.
     */
    static LayeredNetwork of(Network network) {
        for (BuiltIn each : BuiltIn.values()) {
            if (each.label().equals(network.name())) {
                return new LayeredNetwork(network, each.freeze, each.grouping);
            }
        }
        return new LayeredNetwork(network, network.layers().size() - 2, Grouping.NONE);
    }

    /** Names of the built-in networks. */
    public static List<String> names() {
        return Arrays.stream(BuiltIn.values()).map(BuiltIn::label).toList();
    }

    /** The name by which the network was opened. */
    public String name() {
        return network.name();
    }

    /** Shape of one sample. */
    public int[] shape() {
        return network.shape();
    }

    /** Number of classes. */
    public int classes() {
        return network.classes();
    }

    /** Number of layers. */
    public int size() {
        return starts.length - 1;
    }

    /** Index of the last layer that fine-tuning freezes by default. */
    public int freezeIndex() {
        return freeze;
    }

    /** The layout of all tensors in one flat vector. */
    public Layout layout() {
        return network.layout();
    }

    /** Initial parameters; the same seed gives the same values. */
    public float[] initialParameters(long seed) {
        return network.initialParameters(seed);
    }

    /** The layers in order. */
    public List<LayerSummary> layers() {
        List<LayerSummary> summaries = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            List<Layer> steps = network.layers().subList(starts[i], starts[i + 1]);
            summaries.add(
                    new LayerSummary(
                            i,
                            steps.get(steps.size() - 1).name(),
                            String.join("+", steps.stream().map(LayeredNetwork::kind).toList()),
                            shape(after(i)),
                            Network.layout(steps).trainable()));
        }
        return summaries;
    }

    private static String kind(Layer layer) {
        String name = layer.getClass().getSimpleName();
        String kind = name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        if (layer instanceof Pooling) {
            return kind + " pool";
        }
        return layer instanceof Normalisation ? kind + " norm" : kind;
    }

    /** The cut before all layers. */
    public Cut start() {
        return new Cut(-1, 0);
    }

    /** The cut after all layers. */
    public Cut end() {
        return after(size() - 1);
    }

    /**
     * The cut after a layer.
     *
     * @param layer the layer's index, or −1 for the cut before all layers
     */
    public Cut after(int layer) {
        if (layer < -1 || layer >= size()) {
            throw new IllegalArgumentException(
                    "%s has the layers 0 to %d, got %d".formatted(name(), size() - 1, layer));
        }
        return new Cut(layer, starts[layer + 1]);
    }

    /**
     * The cut with the fewest bytes that is equivalent to {@code cut}. It may be after further
     * steps, if these have no parameters and are not random. Ties go to the first cut.
     */
    public Cut pushedDown(Cut cut) {
        Cut best = cut;
        for (int end = cut.steps(); end < network.layers().size() && exact(end); end++) {
            Cut next = new Cut(layerBefore(end + 1), end + 1);
            if (bytes(next) < bytes(best)) {
                best = next;
            }
        }
        return best;
    }

    private boolean exact(int step) {
        Layer layer = network.layers().get(step);
        return layer.parameters().isEmpty() && !(layer instanceof Activation.Dropout);
    }

    /** The last layer that is completely within the first {@code steps} steps. */
    private int layerBefore(int steps) {
        int layer = -1;
        while (layer + 2 < starts.length && starts[layer + 2] <= steps) {
            layer++;
        }
        return layer;
    }

    /** Shape of the values at a cut, for one sample. */
    public int[] shape(Cut cut) {
        return Network.outputOf(network.layers().subList(0, cut.steps()), network.shape());
    }

    /** Bytes of the values at a cut, for one sample in float32. */
    public long bytes(Cut cut) {
        return Arrays.stream(shape(cut)).asLongStream().reduce(Float.BYTES, (a, b) -> a * b);
    }

    /**
     * Bytes of a layer's intermediate results, for one sample in float32: the outputs of its other
     * steps and of the layers inside a block.
     */
    public long innerBytes(int layer) {
        List<Layer> steps = network.layers().subList(starts[layer], starts[layer + 1]);
        return InnerOutputs.values(steps, shape(after(layer - 1))) * Float.BYTES;
    }

    /**
     * The layers 0 to {@code layer}.
     *
     * @param layer −1 for none
     */
    public Section prefix(int layer) {
        return section(start(), after(layer));
    }

    /** The layers after {@code layer}. */
    public Section suffix(int layer) {
        return section(after(layer), end());
    }

    /** The layers between two cuts. */
    public Section section(Cut from, Cut to) {
        return new Section(network, from.steps(), to.steps(), shape(from));
    }

    @Override
    public String toString() {
        return name();
    }
}
