package dev.levee.benchmarks;

import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The networks that Baechi's paper places, as graphs of forward operators. Layer sizes are the
 * published ones. Memory follows from these sizes, times from floating-point operations. Weights
 * take four times their size: the weights, a gradient, and the two vectors of Adam.
 *
 * <p>One class because the networks are built from the same few layers.
 */
final class PaperNetworks {
    /** Operations per second of a GPU. */
    private static final double FLOPS = 5e12;

    private static final double START = 10e-6;
    private static final long TRAINED = 4L * Float.BYTES;

    private final OperatorGraph.Builder graph = new OperatorGraph.Builder();
    private final long batch;
    private long parameters;

    private PaperNetworks(long batch) {
        this.batch = batch;
    }

    /**
     * A network's forward pass as a graph.
     *
     * @param parameters number of weights
     */
    record Network(String name, OperatorGraph forward, long parameters) {}

    /** An operator, and the shape of its output for a sample: channels, height, width. */
    private record Value(int operator, int channels, int height, int width) {
        private long size() {
            return (long) channels * height * width;
        }
    }

    private int add(String name, double flops, long weights, long outputs, String group) {
        parameters += weights;
        return graph.add(
                Operator.of(name, START + flops / FLOPS)
                        .withPersistent(weights * TRAINED)
                        .withGroup(group)
                        .withOutputs(outputs * batch * Float.BYTES));
    }

    private int then(
            String name, double flops, long weights, long outputs, String group, int... inputs) {
        int id = add(name, flops * batch, weights, outputs, group);
        Arrays.stream(inputs).forEach(input -> graph.read(input, 0, id));
        return id;
    }

    private Network build(String name) {
        return new Network(name, graph.build(), parameters);
    }

    // Inception-v3 (Szegedy et al. 2016), as in torchvision, without the auxiliary classifier

    /** The network for images of 299 × 299 pixels and 1,000 classes. */
    static Network inception(int batch) {
        PaperNetworks net = new PaperNetworks(batch);
        Value in = new Value(net.add("images", 0, 0, 3L * 299 * 299, null), 3, 299, 299);
        Value x = net.conv("stem.1", in, 32, 3, 3, 2, false);
        x = net.conv("stem.2", x, 32, 3, 3, 1, false);
        x = net.conv("stem.3", x, 64, 3, 3, 1, true);
        x = net.pool("stem.4", x, 2, false);
        x = net.conv("stem.5", x, 80, 1, 1, 1, true);
        x = net.conv("stem.6", x, 192, 3, 3, 1, false);
        x = net.pool("stem.7", x, 2, false);
        int[] pools = {32, 64, 64};
        for (int i = 0; i < pools.length; i++) {
            x = net.inceptionA("a" + i, x, pools[i]);
        }
        x = net.reductionB("b", x);
        int[] widths = {128, 160, 160, 192};
        for (int i = 0; i < widths.length; i++) {
            x = net.inceptionC("c" + i, x, widths[i]);
        }
        x = net.reductionD("d", x);
        x = net.inceptionE("e0", x);
        x = net.inceptionE("e1", x);
        int mean = net.then("mean", x.size(), 0, 2048, null, x.operator());
        int logits = net.then("dense", 2 * 2048 * 1000, 2048L * 1000 + 1000, 1000, null, mean);
        net.then("loss", 5 * 1000, 0, 1, null, logits);
        return net.build("Inception-v3");
    }

    /** Adds a convolution, batch normalization and ReLU. */
    private Value conv(
            String name, Value in, int channels, int high, int wide, int stride, boolean padded) {
        int height = padded ? in.height() : (in.height() - high) / stride + 1;
        int width = padded ? in.width() : (in.width() - wide) / stride + 1;
        long outputs = (long) channels * height * width;
        long weights = (long) channels * in.channels() * high * wide;
        int conv =
                then(
                        name + ".conv",
                        2.0 * weights * height * width,
                        weights,
                        outputs,
                        null,
                        in.operator());
        int norm = then(name + ".norm", 4.0 * outputs, 2L * channels, outputs, null, conv);
        int relu = then(name + ".relu", outputs, 0, outputs, null, norm);
        return new Value(relu, channels, height, width);
    }

    private Value pool(String name, Value in, int stride, boolean padded) {
        int height = padded ? in.height() : (in.height() - 3) / stride + 1;
        int width = padded ? in.width() : (in.width() - 3) / stride + 1;
        long outputs = (long) in.channels() * height * width;
        int pool = then(name + ".pool", 9.0 * outputs, 0, outputs, null, in.operator());
        return new Value(pool, in.channels(), height, width);
    }

    private Value concat(String name, Value... parts) {
        int channels = Arrays.stream(parts).mapToInt(Value::channels).sum();
        int height = parts[0].height();
        int width = parts[0].width();
        long outputs = (long) channels * height * width;
        int[] inputs = Arrays.stream(parts).mapToInt(Value::operator).toArray();
        return new Value(
                then(name + ".concat", outputs, 0, outputs, null, inputs), channels, height, width);
    }

    private Value inceptionA(String name, Value x, int pooled) {
        Value one = conv(name + ".1x1", x, 64, 1, 1, 1, true);
        Value five = conv(name + ".5x5.1", x, 48, 1, 1, 1, true);
        five = conv(name + ".5x5.2", five, 64, 5, 5, 1, true);
        Value three = conv(name + ".3x3.1", x, 64, 1, 1, 1, true);
        three = conv(name + ".3x3.2", three, 96, 3, 3, 1, true);
        three = conv(name + ".3x3.3", three, 96, 3, 3, 1, true);
        Value pool = conv(name + ".pool", pool(name, x, 1, true), pooled, 1, 1, 1, true);
        return concat(name, one, five, three, pool);
    }

    private Value reductionB(String name, Value x) {
        Value three = conv(name + ".3x3", x, 384, 3, 3, 2, false);
        Value twice = conv(name + ".double.1", x, 64, 1, 1, 1, true);
        twice = conv(name + ".double.2", twice, 96, 3, 3, 1, true);
        twice = conv(name + ".double.3", twice, 96, 3, 3, 2, false);
        return concat(name, three, twice, pool(name, x, 2, false));
    }

    private Value inceptionC(String name, Value x, int width) {
        Value one = conv(name + ".1x1", x, 192, 1, 1, 1, true);
        Value seven = conv(name + ".7x7.1", x, width, 1, 1, 1, true);
        seven = conv(name + ".7x7.2", seven, width, 1, 7, 1, true);
        seven = conv(name + ".7x7.3", seven, 192, 7, 1, 1, true);
        Value twice = conv(name + ".double.1", x, width, 1, 1, 1, true);
        twice = conv(name + ".double.2", twice, width, 7, 1, 1, true);
        twice = conv(name + ".double.3", twice, width, 1, 7, 1, true);
        twice = conv(name + ".double.4", twice, width, 7, 1, 1, true);
        twice = conv(name + ".double.5", twice, 192, 1, 7, 1, true);
        Value pool = conv(name + ".pool", pool(name, x, 1, true), 192, 1, 1, 1, true);
        return concat(name, one, seven, twice, pool);
    }

    private Value reductionD(String name, Value x) {
        Value three = conv(name + ".3x3.1", x, 192, 1, 1, 1, true);
        three = conv(name + ".3x3.2", three, 320, 3, 3, 2, false);
        Value seven = conv(name + ".7x7.1", x, 192, 1, 1, 1, true);
        seven = conv(name + ".7x7.2", seven, 192, 1, 7, 1, true);
        seven = conv(name + ".7x7.3", seven, 192, 7, 1, 1, true);
        seven = conv(name + ".7x7.4", seven, 192, 3, 3, 2, false);
        return concat(name, three, seven, pool(name, x, 2, false));
    }

    private Value inceptionE(String name, Value x) {
        Value one = conv(name + ".1x1", x, 320, 1, 1, 1, true);
        Value three = conv(name + ".3x3.1", x, 384, 1, 1, 1, true);
        Value twice = conv(name + ".double.1", x, 448, 1, 1, 1, true);
        twice = conv(name + ".double.2", twice, 384, 3, 3, 1, true);
        Value pool = conv(name + ".pool", pool(name, x, 1, true), 192, 1, 1, 1, true);
        return concat(
                name,
                one,
                conv(name + ".3x3.2", three, 384, 1, 3, 1, true),
                conv(name + ".3x3.3", three, 384, 3, 1, 1, true),
                conv(name + ".double.3", twice, 384, 1, 3, 1, true),
                conv(name + ".double.4", twice, 384, 3, 1, 1, true),
                pool);
    }

    // GNMT (Wu et al. 2016) as placed by the authors of Baechi: 4 layers, LSTM cells unrolled

    /**
     * The network for translating sentences.
     *
     * @param steps number of words in a sentence
     */
    static Network gnmt(int batch, int steps) {
        int units = 512;
        int words = 30_000;
        int layers = 4;
        PaperNetworks net = new PaperNetworks(batch);
        int[] forth = net.words("source", steps, units, words);
        int[] back = net.lstm("encoder.0.back", reversed(forth), units, units);
        int[] both = net.joined(net.lstm("encoder.0.forth", forth, units, units), reversed(back));
        int[] x = net.lstm("encoder.1", both, 2 * units, units);
        for (int layer = 2; layer < layers; layer++) {
            x = net.residual("encoder." + layer, net.lstm("encoder." + layer, x, units, units), x);
        }
        int[] memory = x;
        x = net.words("target", steps, units, words);
        for (int layer = 0; layer < layers; layer++) {
            String name = "decoder." + layer;
            int[] made = net.lstm(name, x, layer == 0 ? units : 2 * units, units);
            x = layer == 0 ? net.attention(made, memory, units) : made;
        }
        for (int t = 0; t < steps; t++) {
            String group = "projection";
            int logits =
                    net.then(
                            "projection." + t,
                            2.0 * units * words,
                            t == 0 ? (long) units * words : 0,
                            words,
                            group,
                            x[t]);
            net.then("loss." + t, 5.0 * words, 0, 1, group, logits);
        }
        return net.build("GNMT");
    }

    private int[] words(String name, int steps, int units, int words) {
        int[] all = new int[steps];
        for (int t = 0; t < steps; t++) {
            int ids = then(name + ".words." + t, 0, 0, 1, null);
            long weights = t == 0 ? (long) units * words : 0;
            all[t] = then(name + ".embedding." + t, units, weights, units, name, ids);
        }
        return all;
    }

    /**
     * Adds a layer of cells that share their weights: the product for the gates, the new state, the
     * output.
     */
    private int[] lstm(String name, int[] inputs, int width, int units) {
        int[] outputs = new int[inputs.length];
        int state = -1;
        int output = -1;
        for (int t = 0; t < inputs.length; t++) {
            long matrix = 4L * units * (width + units);
            int gates =
                    then(
                            name + ".gates." + t,
                            2.0 * matrix,
                            t == 0 ? matrix + 4L * units : 0,
                            4L * units,
                            name,
                            present(inputs[t], output));
            state = then(name + ".state." + t, 9.0 * units, 0, units, name, present(gates, state));
            output = then(name + ".output." + t, 3.0 * units, 0, units, name, gates, state);
            outputs[t] = output;
        }
        return outputs;
    }

    private static int[] present(int first, int second) {
        return second < 0 ? new int[] {first} : new int[] {first, second};
    }

    private int[] joined(int[] one, int[] other) {
        int[] all = new int[one.length];
        for (int t = 0; t < all.length; t++) {
            all[t] = then("encoder.0.both." + t, 1024, 0, 1024, null, one[t], other[t]);
        }
        return all;
    }

    private int[] residual(String name, int[] made, int[] taken) {
        int[] all = new int[made.length];
        for (int t = 0; t < all.length; t++) {
            all[t] = then(name + ".sum." + t, 512, 0, 512, null, made[t], taken[t]);
        }
        return all;
    }

    /** Adds attention: the inputs of each decoder step from all outputs of the encoder. */
    private int[] attention(int[] queries, int[] memory, int units) {
        int steps = memory.length;
        int keys = then("attention.memory", units * steps, 0, (long) units * steps, null, memory);
        int[] all = new int[queries.length];
        for (int t = 0; t < all.length; t++) {
            String name = "attention." + t;
            int scores =
                    then(
                            name + ".scores",
                            2.0 * units * units + 3.0 * units * steps,
                            t == 0 ? 2L * units * units : 0,
                            steps,
                            "attention",
                            queries[t],
                            keys);
            int shares = then(name + ".softmax", 5.0 * steps, 0, steps, "attention", scores);
            int context =
                    then(
                            name + ".context",
                            2.0 * units * steps,
                            0,
                            units,
                            "attention",
                            shares,
                            keys);
            all[t] = then(name + ".both", 2.0 * units, 0, 2L * units, null, queries[t], context);
        }
        return all;
    }

    private static int[] reversed(int[] values) {
        int[] all = new int[values.length];
        Arrays.setAll(all, i -> values[values.length - 1 - i]);
        return all;
    }

    // Transformer, base (Vaswani et al. 2017)

    private static final int MODEL = 512;
    private static final int INNER = 2048;
    private static final int HEADS = 8;

    /**
     * The network for translating sentences with 6 encoder and 6 decoder layers.
     *
     * @param words number of words in a sentence
     */
    static Network transformer(int batch, int words) {
        PaperNetworks net = new PaperNetworks(batch);
        long vocabulary = 37_000;
        long size = (long) words * MODEL;
        int x = net.then("source", size, vocabulary * MODEL, size, "embedding");
        for (int layer = 0; layer < 6; layer++) {
            String name = "encoder." + layer;
            x = net.attended(name + ".self", x, x, words);
            x = net.inner(name, x, words);
        }
        int memory = x;
        x = net.then("target", size, 0, size, "embedding");
        for (int layer = 0; layer < 6; layer++) {
            String name = "decoder." + layer;
            x = net.attended(name + ".self", x, x, words);
            x = net.attended(name + ".cross", x, memory, words);
            x = net.inner(name, x, words);
        }
        int logits =
                net.then(
                        "projection",
                        2.0 * size * vocabulary,
                        0,
                        words * vocabulary,
                        "embedding",
                        x);
        net.then("loss", 5.0 * words * vocabulary, 0, 1, "embedding", logits);
        return net.build("Transformer");
    }

    /** Adds multi-head attention, the residual sum, and a normalization. */
    private int attended(String name, int x, int memory, int words) {
        long size = (long) words * MODEL;
        long part = size / HEADS;
        long square = (long) MODEL * MODEL;
        int[] projected = new int[3];
        for (int i = 0; i < projected.length; i++) {
            String which = List.of("query", "key", "value").get(i);
            projected[i] =
                    then(
                            name + "." + which,
                            2.0 * words * square,
                            square,
                            size,
                            null,
                            i == 0 ? x : memory);
        }
        List<Integer> heads = new ArrayList<>();
        for (int head = 0; head < HEADS; head++) {
            String each = name + ".head." + head;
            long pairs = (long) words * words;
            double flops = 2.0 * words * part;
            int scores = then(each + ".scores", flops, 0, pairs, null, projected[0], projected[1]);
            int shares = then(each + ".softmax", 5.0 * pairs, 0, pairs, null, scores);
            heads.add(then(each + ".context", flops, 0, part, null, shares, projected[2]));
        }
        int all =
                then(
                        name + ".concat",
                        size,
                        0,
                        size,
                        null,
                        heads.stream().mapToInt(Integer::intValue).toArray());
        int out = then(name + ".out", 2.0 * words * square, square, size, null, all);
        return normalized(name, out, x, size);
    }

    private int inner(String name, int x, int words) {
        long matrix = (long) MODEL * INNER;
        long wide = (long) words * INNER;
        long size = (long) words * MODEL;
        int first = then(name + ".inner.1", 2.0 * words * matrix, matrix, wide, null, x);
        int relu = then(name + ".inner.relu", wide, 0, wide, null, first);
        int second = then(name + ".inner.2", 2.0 * words * matrix, matrix, size, null, relu);
        return normalized(name, second, x, size);
    }

    private int normalized(String name, int made, int x, long size) {
        int sum = then(name + ".sum", size, 0, size, null, made, x);
        return then(name + ".norm", 8.0 * size, 2L * MODEL, size, null, sum);
    }
}
