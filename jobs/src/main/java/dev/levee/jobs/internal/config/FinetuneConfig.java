package dev.levee.jobs.internal.config;

import dev.levee.featureextraction.extract.Encoding;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.featureextraction.split.Bandwidth;
import dev.levee.featureextraction.split.SplitRule;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.config.setting.Sizes;
import dev.levee.jobs.internal.config.setting.Values;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fine-tuning: which images, which network, where it is cut, who extracts. */
public record FinetuneConfig(
        @Setting(
                        group = "Images and network",
                        label = "URI",
                        help =
                                "Packed images, as levee pack writes them: s3a://levee/flowers."
                                        + " Without it a demo runs: digits, a local S3 server, a slow"
                                        + " link.")
                String dataset,
        @Setting(
                        group = "Images and network",
                        label = "NAME",
                        fallback = "resnet18",
                        help =
                                "alexnet, resnet18, resnet50, vgg11, vgg19, densenet121, cifarnet,"
                                        + " or a list of your own layers, file:PATH.")
                String network,
        @Setting(
                        group = "Images and network",
                        label = "FILE",
                        derived = "initial values",
                        help = "Pre-trained weights, safetensors or npz.")
                String weights,
        @Setting(
                        group = "Images and network",
                        label = "PIXELS",
                        fallback = "224",
                        range = "[1, 16384]",
                        help = "Height and width of the network's input.")
                int imageSize,
        @Setting(
                        group = "Images and network",
                        label = "NAME",
                        fallback = "imagenet",
                        help =
                                "imagenet, by its channels' means and deviations, or unit, from 0 to"
                                        + " 1.")
                String scaling,
        @Setting(
                        group = "Images and network",
                        label = "LAYER",
                        derived = "the thesis's",
                        range = "[0, 9999]",
                        help = "The last layer that is not trained.")
                Integer freeze,
        @Setting(
                        group = "Images and network",
                        label = "N",
                        derived = "as many as there are",
                        range = "[1, 2147483647]",
                        help = "Classes that the images must have.")
                Integer classes,
        @Setting(
                        group = "Images and network",
                        label = "N",
                        fallback = "0",
                        range = "[0, 2147483647]",
                        help = "Images that may be undecodable.")
                int maxBadImages,
        @Setting(
                        group = "Images and network",
                        label = "SEED",
                        fallback = "1",
                        range = "[0, 9007199254740991]",
                        help = "Seed of initial values and of --augment.")
                long seed,
        @Setting(
                        group = "Images and network",
                        label = "N",
                        fallback = "0",
                        range = "[0, 1000]",
                        help =
                                "Train on so many views of each image, cropped and mirrored at"
                                        + " random; a fifth of the images is left for the test.")
                int augment,
        @Setting(
                        group = "Where it is cut",
                        label = "SPLIT",
                        fallback = "auto",
                        help = "auto, none, all, or the last layer that runs next to the store.")
                String split,
        @Setting(
                        group = "Where it is cut",
                        label = "RULE",
                        fallback = "cost",
                        help = "What --split auto goes by: cost or thesis.")
                String splitRule,
        @Setting(
                        group = "Where it is cut",
                        label = "",
                        help =
                                "Read all stored images over the link and extract here too, as one"
                                        + " would without Levee, and compare.")
                boolean baseline,
        @Setting(
                        group = "Where it is cut",
                        label = "NAME",
                        fallback = "exact",
                        help =
                                "How features cross the link: exact; float16, each within 2^-11 of"
                                        + " itself; int8, each within a 254th of its image's largest.")
                Encoding encoding,
        @Setting(
                        group = "Where it is cut",
                        label = "N",
                        fallback = "1000",
                        range = "[1, 2147483647]",
                        help = "Images of a request, of one object each.")
                int imagesPerRequest,
        @Setting(
                        group = "Where it is cut",
                        label = "N",
                        fallback = "8",
                        range = "[1, 4096]",
                        help = "Images that go through the layers together.")
                int microBatch,
        @Setting(
                        group = "Storage tier and link",
                        label = "URL",
                        derived = "one of its own, in this process",
                        help =
                                "The storage tier, as levee storage serve prints it:"
                                        + " tcp://HOST:PORT, several with commas.")
                String storage,
        @Setting(
                        group = "Storage tier and link",
                        label = "NAME",
                        derived = "the network's",
                        help = "Who this is among those that share a storage tier.")
                String tenant,
        @Setting(
                        group = "Storage tier and link",
                        label = "TIME",
                        fallback = "2m",
                        help = "How long there may be no answer before it gives up.")
                Duration storagePatience,
        @Setting(
                        group = "Storage tier and link",
                        label = "BITS",
                        derived = "as fast as it is",
                        help = "Slow the link to so many bits per second each way, such as 50M.")
                String bandwidth,
        @Setting(
                        group = "Storage tier and link",
                        label = "BITS",
                        derived = "fast",
                        help =
                                "What the link carries per second without being slowed, which --split"
                                        + " auto begins with; it is measured on the way.")
                String linkRate,
        @Setting(
                        group = "Storage tier and link",
                        label = "N",
                        fallback = "1",
                        range = "[1, 128]",
                        help = "Requests that the storage tier computes at the same time.")
                int storageSlots,
        @Setting(
                        group = "Storage tier and link",
                        label = "SIZE",
                        fallback = "1g",
                        help = "Memory of a storage tier of its own, such as 2g.")
                String memory,
        @Setting(
                        group = "Results",
                        label = "N",
                        derived = "that of levee train",
                        range = "[1, 1000000000]",
                        help = "Samples of a batch that the last layers are trained on.")
                Integer batchSize,
        @Setting(
                        group = "Results",
                        label = "SIZE",
                        fallback = "all",
                        help =
                                "What features may take that are kept for the next time: all, off,"
                                        + " or a size such as 2g, above which they are deleted when"
                                        + " the training is over.")
                String keepFeatures,
        @Setting(
                        group = "Results",
                        label = "DIR",
                        fallback = "finetune",
                        help =
                                "Folder for features, which are kept for the next time as"
                                        + " --keep-features says, and the run in run/.")
                String output) {

    /** The settings above. */
    public static final SettingsTable<FinetuneConfig> SETTINGS =
            SettingsTable.of(FinetuneConfig.class);

    private static final Pattern ADDRESS = Pattern.compile("tcp://([^/:]+):(\\d{1,5})/?");

    /**
     * Checks what needs no data.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public void check() {
        if (bandwidth != null) {
            Values.named("--bandwidth", () -> Bandwidth.parse(bandwidth));
        }
        if (linkRate != null) {
            Values.named("--link-rate", () -> Bandwidth.parse(linkRate));
            if (bandwidth != null) {
                throw new IllegalArgumentException(
                        "--link-rate is for a link that --bandwidth does not slow; give one of"
                                + " them");
            }
        }
        Values.named("--split-rule", this::rule);
        pixels();
        memoryBytes();
        keptBytes();
        addresses();
    }

    /** What {@code --split auto} goes by. */
    public SplitRule rule() {
        return SplitRule.parse(splitRule);
    }

    /** What the link carries before it has been measured, as the user wrote it; null if unsaid. */
    public String rate() {
        return bandwidth == null ? linkRate : bandwidth;
    }

    /** How pixels become the network's input. */
    public Scaling pixels() {
        return switch (scaling) {
            case "imagenet" -> Scaling.IMAGENET;
            case "unit" -> Scaling.UNIT;
            default ->
                    throw new IllegalArgumentException(
                            "--scaling must be imagenet or unit, got " + scaling);
        };
    }

    /** Bytes for a storage tier of its own. */
    public long memoryBytes() {
        return Sizes.bytes("--memory", memory);
    }

    /** Bytes of features that may be kept for the next time, 0 if none are to be. */
    public long keptBytes() {
        return switch (keepFeatures) {
            case "all" -> Long.MAX_VALUE;
            case "off" -> 0;
            default -> Sizes.bytes("--keep-features", keepFeatures);
        };
    }

    /** Where the storage tier is, empty if it is to be one of its own. */
    public List<InetSocketAddress> addresses() {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String url : storage == null ? List.<String>of() : List.of(storage.split(",", -1))) {
            Matcher parts = ADDRESS.matcher(url.strip());
            if (!parts.matches() || Integer.parseInt(parts.group(2)) > 65535) {
                throw new IllegalArgumentException(
                        "--storage must be addresses such as tcp://127.0.0.1:7070, got " + url);
            }
            addresses.add(new InetSocketAddress(parts.group(1), Integer.parseInt(parts.group(2))));
        }
        return addresses;
    }

    /** Folder for features and the run. */
    public Path folder() {
        return Path.of(output);
    }
}
