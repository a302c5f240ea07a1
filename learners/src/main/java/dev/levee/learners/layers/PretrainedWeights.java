package dev.levee.learners.layers;

import dev.levee.learners.Segment;
import dev.levee.learners.internal.weights.TensorFile;
import dev.levee.learners.internal.weights.TensorFiles;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Pre-trained parameters of a network from a file. Tensors are found by torchvision's names. Names
 * of timm and of torchvision's older DenseNets are mapped to these names.
 *
 * @param values flat vector of the whole network
 * @param fresh names of tensors that start from initial values, because the file's last layer has
 *     another number of classes
 */
public record PretrainedWeights(float[] values, List<String> fresh) {
    private static final int MOST_LISTED = 8;

    /** Suffix of torch's counters of batches, which no computation uses. */
    private static final String COUNTER = ".num_batches_tracked";

    private static final Pattern OLD_DENSENET =
            Pattern.compile("(.*denselayer\\d+\\.(?:norm|relu|conv))\\.([12]\\..*)");

    /** Timm's names of VGG's dense layers, which timm stores as convolutions. */
    private static final Map<String, String> TIMM_VGG =
            Map.of(
                    "pre_logits.fc1.", "classifier.0.",
                    "pre_logits.fc2.", "classifier.3.",
                    "head.fc.", "classifier.6.");

    /**
     * Reads a safetensors or npz file.
     *
     * @param seed seed of the initial values of the last layer, if the file's last layer has
     *     another number of classes
     * @throws IllegalArgumentException if the file has another format, lacks tensors, or has
     *     tensors that the network does not have; one sentence that names the file and lists the
     *     tensors
     */
    public static PretrainedWeights read(Path file, LayeredNetwork network, long seed) {
        try (TensorFile tensors = TensorFiles.open(file)) {
            return read(tensors, network, seed);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("weights " + file + ": " + e.getMessage(), e);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("weights " + file + ": there is no such file", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "weights " + file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static PretrainedWeights read(TensorFile tensors, LayeredNetwork network, long seed)
            throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String name : tensors.names()) {
            if (!name.endsWith(COUNTER)) {
                sources.put(ours(name), name);
            }
        }
        List<Segment> segments = network.layout().segments();
        List<String> missing = new ArrayList<>();
        for (Segment segment : segments) {
            if (!sources.containsKey(segment.name())) {
                missing.add(segment.name());
            }
        }
        List<String> unexpected = new ArrayList<>(sources.keySet());
        unexpected.removeAll(segments.stream().map(Segment::name).toList());
        if (!missing.isEmpty() || !unexpected.isEmpty()) {
            throw new IllegalArgumentException(
                    "they are not those of "
                            + network.name()
                            + listed(": missing ", missing)
                            + listed(
                                    missing.isEmpty() ? ": unexpected " : "; unexpected ",
                                    unexpected));
        }
        float[] values = network.initialParameters(seed);
        List<String> fresh = new ArrayList<>();
        String last = lastLayer(network);
        for (Segment segment : segments) {
            String source = sources.get(segment.name());
            long[] shape = tensors.shape(source);
            if (same(shape, segment.shape())) {
                tensors.read(source, values, segment.offset());
            } else if (segment.name().startsWith(last) && otherClasses(shape, segment.shape())) {
                fresh.add(segment.name());
            } else {
                throw new IllegalArgumentException(
                        "tensor %s has shape %s instead of %s"
                                .formatted(
                                        source,
                                        Arrays.toString(shape),
                                        Arrays.toString(segment.shape())));
            }
        }
        return new PretrainedWeights(values, fresh);
    }

    /** The network's name for a tensor. */
    private static String ours(String name) {
        for (Map.Entry<String, String> timm : TIMM_VGG.entrySet()) {
            if (name.startsWith(timm.getKey())) {
                return timm.getValue() + name.substring(timm.getKey().length());
            }
        }
        return OLD_DENSENET.matcher(name).replaceFirst("$1$2");
    }

    private static String lastLayer(LayeredNetwork network) {
        List<LayerSummary> layers = network.layers();
        return layers.get(layers.size() - 1).name() + ".";
    }

    /** True if shapes are equal, or a dense layer's shape is stored as that of a convolution. */
    private static boolean same(long[] shape, long[] wanted) {
        if (Arrays.equals(shape, wanted)) {
            return true;
        }
        long rest = Arrays.stream(shape).skip(1).reduce(1, (a, b) -> a * b);
        return wanted.length == 2
                && shape.length == 4
                && shape[0] == wanted[0]
                && rest == wanted[1];
    }

    private static boolean otherClasses(long[] shape, long[] wanted) {
        return shape.length == wanted.length
                && Arrays.equals(shape, 1, shape.length, wanted, 1, wanted.length);
    }

    private static String listed(String intro, List<String> names) {
        if (names.isEmpty()) {
            return "";
        }
        int more = names.size() - MOST_LISTED;
        String first = String.join(", ", names.subList(0, Math.min(MOST_LISTED, names.size())));
        return intro + first + (more > 0 ? " and " + more + " more" : "");
    }
}
