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

/** The settings of fine-tuning: images, the network and its cut, and the storage tier. */
public record FinetuneConfig(
        @Setting(
                        group = "Images and network",
                        label = "URI",
                        help =
                                "Packed images, such as s3a://levee/flowers. Without it, a demo"
                                        + " runs.")
                String dataset,
        @Setting(
                        label = "NAME",
                        fallback = "resnet18",
                        help =
                                "alexnet, resnet18, resnet50, vgg11, vgg19, densenet121, "
                                        + "cifarnet, or file:PATH, a list of your own layers.")
                String network,
        @Setting(
                        label = "FILE",
                        derived = "initial values",
                        help = "Pre-trained weights in safetensors or npz format.")
                String weights,
        @Setting(
                        label = "PIXELS",
                        fallback = "224",
                        range = "[1, 16384]",
                        help = "Height and width of the network's input.")
                int imageSize,
        @Setting(
                        label = "NAME",
                        fallback = "imagenet",
                        help =
                                "Pixel scaling: imagenet (its means and deviations) or unit (0 to"
                                        + " 1).")
                String scaling,
        @Setting(
                        label = "LAYER",
                        derived = "that of the paper",
                        range = "[0, 9999]",
                        help = "Last layer that is not trained.")
                Integer freeze,
        @Setting(
                        label = "N",
                        derived = "those of the images",
                        range = "[1, 2147483647]",
                        help = "Number of classes that the images must have.")
                Integer classes,
        @Setting(
                        label = "N",
                        fallback = "0",
                        range = "[0, 2147483647]",
                        help = "Number of images that may be undecodable.")
                int maxBadImages,
        @Setting(
                        label = "SEED",
                        fallback = "1",
                        range = "[0, 9007199254740991]",
                        help = "Seed of initial values and of --augment.")
                long seed,
        @Setting(
                        label = "N",
                        fallback = "0",
                        range = "[0, 1000]",
                        help =
                                "Train on this many views of each image, cropped and mirrored at"
                                        + " random.")
                int augment,
        @Setting(
                        group = "Split",
                        label = "SPLIT",
                        fallback = "auto",
                        help =
                                "Where to split the network: auto, none, all, or the last "
                                        + "layer that runs next to the store.")
                String split,
        @Setting(
                        label = "RULE",
                        fallback = "cost",
                        help =
                                "What --split auto minimizes: cost (predicted time) or thesis "
                                        + "(HAPI's algorithm 2).")
                String splitRule,
        @Setting(
                        label = "",
                        help =
                                "Also run without a split, with all stored images crossing "
                                        + "the link, and compare.")
                boolean baseline,
        @Setting(
                        label = "NAME",
                        fallback = "exact",
                        help =
                                "Encoding of features on the link: exact, float16 (relative error"
                                        + " up to 2^-11) or int8 (up to 1/254 of the largest"
                                        + " value).")
                Encoding encoding,
        @Setting(
                        label = "N",
                        fallback = "1000",
                        range = "[1, 2147483647]",
                        help = "Images per request; a request reads one object.")
                int imagesPerRequest,
        @Setting(
                        label = "N",
                        fallback = "8",
                        range = "[1, 4096]",
                        help = "Images that pass through the layers together.")
                int microBatch,
        @Setting(
                        group = "Storage tier and link",
                        label = "URL",
                        derived = "inside this process",
                        help = "Storage tier: tcp://HOST:PORT, several separated by commas.")
                String storage,
        @Setting(
                        label = "NAME",
                        derived = "that of the network",
                        help = "Name of this client among those that share a storage tier.")
                String tenant,
        @Setting(
                        label = "TIME",
                        fallback = "2m",
                        help = "How long to wait for an answer before the run fails.")
                Duration storagePatience,
        @Setting(
                        label = "BITS",
                        derived = "not limited",
                        help =
                                "Limit the link to this many bits per second in each "
                                        + "direction, such as 50M.")
                String bandwidth,
        @Setting(
                        label = "BITS",
                        derived = "fast",
                        help =
                                "Bandwidth of an unlimited link that --split auto assumes at"
                                        + " first.")
                String linkRate,
        @Setting(
                        label = "N",
                        fallback = "1",
                        range = "[1, 128]",
                        help = "Requests that the storage tier computes at the same time.")
                int storageSlots,
        @Setting(
                        label = "SIZE",
                        derived = OWN_MEMORY,
                        help = "Memory of a storage tier inside this process, such as 2g.")
                String memory,
        @Setting(
                        group = "Results",
                        label = "N",
                        derived = "that of levee train",
                        range = "[1, 1000000000]",
                        help = "Batch size for training the last layers.")
                Integer batchSize,
        @Setting(
                        label = "SIZE",
                        fallback = "all",
                        help =
                                "Space for features that are kept for the next run: all, off, or a"
                                        + " size such as 2g.")
                String keepFeatures,
        @Setting(
                        label = "DIR",
                        fallback = "finetune",
                        help = "Folder for the features and, in run/, the training run.")
                String output) {

    /** All settings of this record. */
    public static final SettingsTable<FinetuneConfig> SETTINGS =
            SettingsTable.of(FinetuneConfig.class);

    private static final String OWN_MEMORY = "1g";
    private static final Pattern ADDRESS = Pattern.compile("tcp://([^/:]+):(\\d{1,5})/?");

    /**
     * Checks the settings as far as possible without data.
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
                        "--link-rate is for a link without --bandwidth; give one of them");
            }
        }
        Values.named("--split-rule", this::rule);
        pixels();
        Sizes.bytes("--memory", ownMemory());
        if (memory != null && storage != null) {
            throw new IllegalArgumentException(
                    "--memory is for a storage tier inside this process; with --storage, give it"
                            + " to levee storage serve");
        }
        keptBytes();
        addresses();
    }

    /** The rule of {@code --split auto}. */
    public SplitRule rule() {
        return SplitRule.parse(splitRule);
    }

    /** The assumed bandwidth of an unmeasured link, as the user wrote it; null if not given. */
    public String rate() {
        return bandwidth == null ? linkRate : bandwidth;
    }

    public Scaling pixels() {
        return switch (scaling) {
            case "imagenet" -> Scaling.IMAGENET;
            case "unit" -> Scaling.UNIT;
            default ->
                    throw new IllegalArgumentException(
                            "--scaling must be imagenet or unit, got " + scaling);
        };
    }

    /** Memory of the command's own storage tier, as the user wrote it. */
    public String ownMemory() {
        return memory == null ? OWN_MEMORY : memory;
    }

    /** Maximum size in bytes of the features to keep for the next run; 0 to keep none. */
    public long keptBytes() {
        return switch (keepFeatures) {
            case "all" -> Long.MAX_VALUE;
            case "off" -> 0;
            default -> Sizes.bytes("--keep-features", keepFeatures);
        };
    }

    /** The addresses of the storage tier; empty if the command starts its own. */
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

    /** The folder for features and the run. */
    public Path folder() {
        return Path.of(output);
    }
}
