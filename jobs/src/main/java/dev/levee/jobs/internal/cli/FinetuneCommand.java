package dev.levee.jobs.internal.cli;

import dev.levee.connectors.data.Picture;
import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.PackedObject;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.featureextraction.split.Bandwidth;
import dev.levee.featureextraction.split.ComputeTimes;
import dev.levee.featureextraction.split.Conditions;
import dev.levee.featureextraction.split.Prediction;
import dev.levee.featureextraction.split.Profile;
import dev.levee.featureextraction.split.Profiler;
import dev.levee.featureextraction.split.SplitRule;
import dev.levee.jobs.cluster.LocalStore;
import dev.levee.jobs.internal.cluster.Home;
import dev.levee.jobs.internal.finetune.DigitsDemo;
import dev.levee.jobs.internal.finetune.ExtractionPlan;
import dev.levee.jobs.internal.finetune.ExtractionResult;
import dev.levee.jobs.internal.finetune.ExtractionRun;
import dev.levee.learners.Cut;
import dev.levee.learners.LayeredNetwork;
import dev.levee.learners.Weights;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Fine-tunes a network on packed images whose features are extracted next to their store. */
@Command(
        name = "finetune",
        description =
                "Fine-tune a network on packed images: the first layers run next to the object"
                        + " store, features cross the link, the last layers are trained here.",
        footer = {
            "",
            "What stands behind -- goes to levee train, which trains the last layers: -- --workers 5"
                    + " --aggregator krum --byzantine 1.",
            "Exit status: 0 done, 1 failed, 2 wrong usage or input."
        },
        abbreviateSynopsis = true,
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class FinetuneCommand implements Callable<Integer> {
    /** Where the link is not slowed, loopback is: about what memory carries. */
    private static final double LOOPBACK = 20e9;

    /** Stored images to measure decoding with. */
    private static final int SAMPLED = 5;

    /** Nobody lies where nobody says so. */
    private static final Map<String, String> PLAIN_TRAINING =
            Map.of("--aggregator", "average", "--byzantine", "0", "--attack", "none");

    private static final List<String> DEMO_OPTIONS =
            List.of("--bandwidth", "--split", "--split-rule", "--storage-slots", "--output");

    @Spec private CommandSpec spec;

    @Option(
            names = "--dataset",
            paramLabel = "URI",
            description =
                    "Packed images, as levee pack writes them: s3a://levee/flowers. Without it a"
                            + " demo runs: digits, a local S3 server, a slow link.")
    private String dataset;

    @Option(
            names = "--network",
            paramLabel = "NAME",
            defaultValue = "resnet18",
            description =
                    "alexnet, resnet18, resnet50, vgg11, vgg19, densenet121 or cifarnet (default:"
                            + " ${DEFAULT-VALUE}).")
    private String name;

    @Option(
            names = "--weights",
            paramLabel = "FILE",
            description = "Pre-trained weights, safetensors or npz (default: initial values).")
    private Path weights;

    @Option(
            names = "--image-size",
            paramLabel = "PIXELS",
            defaultValue = "224",
            description = "Height and width of the network's input (default: ${DEFAULT-VALUE}).")
    private int imageSize;

    @Option(
            names = "--scaling",
            paramLabel = "NAME",
            defaultValue = "imagenet",
            description =
                    "imagenet, by its channels' means and deviations, or unit, from 0 to 1 (default:"
                            + " ${DEFAULT-VALUE}).")
    private String scaling;

    @Option(
            names = "--freeze",
            paramLabel = "LAYER",
            description = "The last layer that is not trained (default: the thesis's).")
    private Integer freeze;

    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            defaultValue = "auto",
            description =
                    "auto, none, all, or the last layer that runs next to the store (default:"
                            + " ${DEFAULT-VALUE}).")
    private String split;

    @Option(
            names = "--split-rule",
            paramLabel = "RULE",
            defaultValue = "cost",
            description = "What --split auto goes by: cost or thesis (default: ${DEFAULT-VALUE}).")
    private String ruleName;

    @Option(names = "--baseline", description = "Extract without splitting too, and compare.")
    private boolean baseline;

    @Option(
            names = "--bandwidth",
            paramLabel = "BITS",
            description =
                    "Slow the link between the tiers to so many bits per second, such as 50M"
                            + " (default: as fast as it is).")
    private String bandwidth;

    @Option(
            names = "--images-per-request",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Images of a request, of one object each (default: ${DEFAULT-VALUE}).")
    private int perRequest;

    @Option(
            names = "--micro-batch",
            paramLabel = "N",
            defaultValue = "8",
            description = "Images that go through the layers together (default: ${DEFAULT-VALUE}).")
    private int microBatch;

    @Option(
            names = "--storage-slots",
            paramLabel = "N",
            defaultValue = "1",
            description = "Requests answered at the same time (default: ${DEFAULT-VALUE}).")
    private int slots;

    @Option(
            names = "--memory",
            paramLabel = "MIB",
            defaultValue = "1024",
            description = "MiB for requests in the storage tier (default: ${DEFAULT-VALUE}).")
    private long memory;

    @Option(
            names = "--max-bad-images",
            paramLabel = "N",
            defaultValue = "0",
            description = "Images that may be undecodable (default: ${DEFAULT-VALUE}).")
    private int mostBad;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            defaultValue = "finetune",
            description =
                    "Folder for features, which are kept for the next time, and the run in run/"
                            + " (default: ${DEFAULT-VALUE}).")
    private Path output;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            defaultValue = "1",
            description = "Seed of initial values (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Parameters(hidden = true, description = "For levee train.")
    private List<String> training = List.of();

    @Override
    public Integer call() throws Exception {
        return dataset == null ? demo() : finetune();
    }

    /** Half of the digits to pre-train a network on, the other half to fine-tune it for. */
    private int demo() throws Exception {
        for (OptionSpec matched : spec.commandLine().getParseResult().matchedOptions()) {
            if (!DEMO_OPTIONS.contains(matched.longestName())) {
                throw wrong(
                        "%s needs --dataset; the demo without it takes %s"
                                .formatted(matched.longestName(), String.join(", ", DEMO_OPTIONS)));
            }
        }
        Path directory = Home.find().storeDirectory();
        Optional<LocalStore> running = LocalStore.find(directory);
        if (running.isPresent()) {
            return demo(running.get());
        }
        out().println("Starting an S3 server for this demo …");
        out().flush();
        try (LocalStore store = LocalStore.start(directory, 0)) {
            return demo(store);
        }
    }

    private int demo(LocalStore store) throws Exception {
        out().println("Photographing digits, packing them into objects of s3a://levee/ …");
        out().flush();
        DigitsDemo.prepare(store);
        Path pretrained = output.resolve("pretrained");
        int code = execute(DigitsDemo.pretraining(pretrained));
        if (code != 0) {
            return code;
        }
        dataset = DigitsDemo.DATASET;
        name = DigitsDemo.NETWORK;
        imageSize = DigitsDemo.SIDE;
        scaling = "unit";
        weights = DigitsDemo.weights(pretrained);
        baseline = true;
        bandwidth = bandwidth == null ? DigitsDemo.BANDWIDTH : bandwidth;
        perRequest = DigitsDemo.PER_OBJECT;
        training = DigitsDemo.training();
        return finetune();
    }

    private int execute(List<String> arguments) {
        return spec.commandLine().getParent().execute(arguments.toArray(String[]::new));
    }

    private int finetune() throws Exception {
        ExtractionPlan plan = plan();
        SplitRule rule = option("--split-rule", () -> SplitRule.parse(ruleName));
        Cut given = given(plan);
        Path features = output.resolve("features.npz");
        if (kept(plan, features)) {
            out().println("Features are kept from before in " + features + ": nothing is sent.");
            out().flush();
        } else {
            extract(plan, rule, given, features);
        }
        return train(plan, features);
    }

    private ExtractionPlan plan() throws IOException {
        above("--images-per-request", perRequest);
        above("--micro-batch", microBatch);
        above("--storage-slots", slots);
        above("--memory", memory);
        if (bandwidth != null) {
            option("--bandwidth", () -> Bandwidth.parse(bandwidth));
        }
        PackedFolder folder;
        try {
            folder = PackedFolder.open(PackCommand.path(dataset));
        } catch (IOException e) {
            throw wrong("--dataset: " + e.getMessage());
        }
        LayeredNetwork network =
                option(
                        "--network " + name + " --image-size " + imageSize,
                        () -> {
                            int[] shape = {3, imageSize, imageSize};
                            return LayeredNetwork.open(name, shape, folder.classes().size());
                        });
        int last = freeze == null ? network.freezeIndex() : freeze;
        double imageBytes = (double) folder.bytes() / folder.images();
        option("--freeze", () -> new Profile(network, last, imageBytes, null));
        return new ExtractionPlan(
                folder,
                network,
                parameters(network),
                last,
                scaling(),
                microBatch,
                perRequest,
                memory << 20,
                slots,
                bandwidth);
    }

    private float[] parameters(LayeredNetwork network) {
        return weights == null
                ? network.initialParameters(seed)
                : option("--weights", () -> Weights.read(weights, network, seed).values());
    }

    private Scaling scaling() {
        return switch (scaling) {
            case "imagenet" -> Scaling.IMAGENET;
            case "unit" -> Scaling.UNIT;
            default -> throw wrong("--scaling must be imagenet or unit, got " + scaling);
        };
    }

    /** The cut that the user chose, null for auto. */
    private Cut given(ExtractionPlan plan) {
        LayeredNetwork network = plan.network();
        return switch (split) {
            case "auto" -> null;
            case "none" -> network.start();
            case "all" -> plan.head();
            default -> {
                if (!split.matches("\\d{1,4}") || Integer.parseInt(split) > plan.freeze()) {
                    throw wrong(
                            "--split must be auto, none, all or a layer from 0 to %d, got %s"
                                    .formatted(plan.freeze(), split));
                }
                yield network.after(Integer.parseInt(split));
            }
        };
    }

    private boolean kept(ExtractionPlan plan, Path features) throws IOException {
        Path key = output.resolve("features.key");
        return !baseline
                && Files.exists(features)
                && Files.exists(key)
                && Files.readString(key).strip().equals(plan.key());
    }

    private void extract(ExtractionPlan plan, SplitRule rule, Cut given, Path features)
            throws Exception {
        LayeredNetwork network = plan.network();
        PackedFolder folder = plan.folder();
        double imageBytes = (double) folder.bytes() / folder.images();
        out().printf(
                        Locale.ROOT,
                        "%s on %d images of %.0f bytes, %d classes; measuring its layers …%n",
                        network.name(),
                        folder.images(),
                        imageBytes,
                        folder.classes().size());
        out().flush();
        List<byte[]> sample = sample(folder);
        ComputeTimes times =
                sample.isEmpty()
                        ? Profiler.measure(network, plan.microBatch(), SAMPLED)
                        : Profiler.measure(network, plan.microBatch(), sample);
        Profile profile = new Profile(network, plan.freeze(), imageBytes, times);
        double bits = bandwidth == null ? LOOPBACK : Bandwidth.parse(bandwidth).bitsPerSecond();
        Conditions conditions = new Conditions(bits, plan.perRequest(), plan.slots(), 1);
        Cut cut = given == null ? rule.choose(profile, conditions) : given;
        List<Prediction> predictions = new ArrayList<>();
        List<ExtractionResult> results = new ArrayList<>();
        if (baseline && cut.steps() > 0) {
            predictions.add(profile.predict(network.start(), conditions));
            results.add(ExtractionRun.run(plan, network.start()));
        }
        predictions.add(profile.predict(cut, conditions));
        results.add(ExtractionRun.run(plan, cut));
        new ExtractionTable(folder, predictions, results).print(out());
        ExtractionResult last = results.get(results.size() - 1);
        List<String> bad = last.features().bad();
        bad.forEach(sentence -> out().println("undecodable: " + sentence));
        if (bad.size() > mostBad) {
            throw new IllegalStateException(
                    "%d images cannot be decoded, more than --max-bad-images %d"
                            .formatted(bad.size(), mostBad));
        }
        Files.createDirectories(output);
        last.features().write(features);
        Files.writeString(output.resolve("features.key"), plan.key());
    }

    /** Some stored images that can be decoded, to measure with. */
    private static List<byte[]> sample(PackedFolder folder) throws IOException {
        List<byte[]> images = new ArrayList<>();
        try (PackedObject object = PackedObject.open(folder.path(folder.objects().get(0)))) {
            for (int i = 0; i < object.size() && images.size() < SAMPLED; i++) {
                byte[] content = object.read(i).content();
                if (Picture.isReadable(content)) {
                    images.add(content);
                }
            }
        }
        return images;
    }

    private int train(ExtractionPlan plan, Path features) {
        List<String> arguments = new ArrayList<>(List.of("train"));
        int[] shape = plan.network().shape(plan.head());
        String channels = shape.length == 3 ? "?channels=first" : "";
        arguments.addAll(List.of("--dataset", "npz:" + features.toAbsolutePath() + channels));
        arguments.addAll(
                List.of(
                        "--model",
                        "suffix:%s?layer=%d&size=%d%s"
                                .formatted(
                                        name,
                                        plan.freeze(),
                                        imageSize,
                                        weights == null
                                                ? ""
                                                : "&weights=" + weights.toAbsolutePath())));
        if (!training.contains("--output")) {
            arguments.addAll(List.of("--output", output.resolve("run").toString()));
        }
        PLAIN_TRAINING.forEach(
                (option, value) -> {
                    if (!training.contains(option)) {
                        arguments.addAll(List.of(option, value));
                    }
                });
        arguments.addAll(training);
        return execute(arguments);
    }

    private void above(String option, long value) {
        if (value < 1) {
            throw wrong(option + " must be at least 1, got " + value);
        }
    }

    private <T> T option(String option, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw wrong(option + ": " + e.getMessage());
        }
    }

    private WrongInputException wrong(String sentence) {
        return new WrongInputException(spec.commandLine(), sentence);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
