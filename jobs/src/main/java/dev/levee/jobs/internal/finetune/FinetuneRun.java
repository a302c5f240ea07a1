package dev.levee.jobs.internal.finetune;

import dev.levee.connectors.data.Picture;
import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.PackedObject;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.split.Bandwidth;
import dev.levee.featureextraction.split.ComputeTimes;
import dev.levee.featureextraction.split.Conditions;
import dev.levee.featureextraction.split.CutReview;
import dev.levee.featureextraction.split.Prediction;
import dev.levee.featureextraction.split.Profile;
import dev.levee.featureextraction.split.Profiler;
import dev.levee.jobs.internal.config.FinetuneConfig;
import dev.levee.jobs.internal.config.StorageConfig;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.run.LeftFolder;
import dev.levee.jobs.internal.run.cluster.StorageServer;
import dev.levee.learners.layers.Cut;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One invocation of {@code levee finetune}: extracts features, then trains the last layers. */
public final class FinetuneRun {
    /**
     * Assumed bits per second of an unlimited link: a loopback connection is about as fast as
     * memory.
     */
    private static final double LOOPBACK = 20e9;

    /** Number of stored images with which decoding is measured. */
    private static final int SAMPLED = 5;

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** Default options of the training, without an attack. */
    private static final Map<String, String> PLAIN_TRAINING =
            Map.of("--aggregator", "average", "--byzantine", "0", "--attack", "none");

    private final FinetuneConfig config;
    private final ExtractionPlan plan;
    private final Cut given;
    private final KeptFeatures features;

    /**
     * Checks settings, and reads the list of images and the weights.
     *
     * @param images location of the images
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public FinetuneRun(FinetuneConfig config, Path images) {
        config.check();
        this.config = config;
        plan = ExtractionPlan.of(config, images);
        given = plan.given(config.split());
        int classes = plan.folder().classes().size();
        if (config.classes() != null && config.classes() != classes) {
            throw new IllegalArgumentException(
                    "--classes must be %d, as the images have, got %d"
                            .formatted(classes, config.classes()));
        }
        if (config.baseline() && config.bandwidth() != null) {
            BaselineRun.store(plan);
        }
        features = new KeptFeatures(config, plan);
    }

    /** The folder of the images. */
    public PackedFolder folder() {
        return plan.folder();
    }

    public KeptFeatures features() {
        return features;
    }

    /**
     * Refuses to replace or delete features while a training that reads them has not ended, or
     * while another run has the training's output folder.
     *
     * @param more the user's further options of the training
     * @throws IllegalArgumentException if it has not ended; one sentence
     */
    public void requireEnded(List<String> more) throws IOException {
        if (features.usable() && config.keptBytes() == Long.MAX_VALUE) {
            return;
        }
        List<String> outputs = new ArrayList<>(List.of(output()));
        for (int i = 0; i < more.size(); i++) {
            if (more.get(i).startsWith("--output=")) {
                outputs.add(more.get(i).substring("--output=".length()));
            } else if (more.get(i).equals("--output") && i + 1 < more.size()) {
                outputs.add(more.get(i + 1));
            }
        }
        for (String each : outputs) {
            LeftFolder.requireEnded(each, OutputLayout.absolute(each), true, false);
        }
    }

    /** The output folder of the training if the user chooses none. */
    private String output() {
        return config.folder().resolve("run").toString();
    }

    /**
     * Extracts features.
     *
     * @param say receives sentences about the progress
     * @throws IllegalStateException if no storage tier answers, or there is no room for the
     *     features; one sentence
     */
    public Extractions extract(Consumer<String> say) throws Exception {
        for (InetSocketAddress address : config.addresses()) {
            if (address.isUnresolved()) {
                throw new IllegalStateException(
                        "--storage: the host %s is unknown".formatted(address.getHostString()));
            }
        }
        features.requireWritable();
        List<Cut> served = served();
        features.requireRoom(Runtime.getRuntime().maxMemory());
        Profile profile = profile(served);
        Conditions conditions = conditions();
        Cut cut = given == null ? config.rule().choose(profile, conditions) : given;
        List<Prediction> predictions = new ArrayList<>();
        List<ExtractionResult> results = new ArrayList<>();
        if (config.baseline()) {
            predictions.add(profile.predict(plan.network().start(), conditions));
            results.add(new BaselineRun(config.bandwidth()).run(plan));
        }
        predictions.add(profile.predict(cut, conditions));
        CutReview review = given == null ? new CutReview(config.rule(), profile, conditions) : null;
        results.add(extract(cut, review, say));
        return new Extractions(conditions, predictions, results);
    }

    /** The conditions under which the cut is chosen. */
    Conditions conditions() {
        double bits =
                config.rate() == null ? LOOPBACK : Bandwidth.parse(config.rate()).bitsPerSecond();
        return new Conditions(
                bits,
                config.batchSize() == null ? plan.perRequest() : config.batchSize(),
                config.storageSlots(),
                1,
                plan.requests().size(),
                plan.folder().images(),
                sharesMachine() ? PROCESSORS : Double.POSITIVE_INFINITY);
    }

    /** Extracts all views. Each view starts with the last cut of the previous one. */
    private ExtractionResult views(
            List<InetSocketAddress> addresses, Cut cut, CutReview review, Consumer<String> say)
            throws IOException, InterruptedException {
        List<ExtractionResult> views = new ArrayList<>();
        Cut now = cut;
        for (int view = 0; view <= config.augment(); view++) {
            views.add(run(addresses, say).run(plan.view(view), now, review));
            List<Cut> cuts = views.get(view).cuts();
            now = cuts.get(cuts.size() - 1);
        }
        return ExtractionResult.joined(views);
    }

    /** True if this process runs its own storage tier. */
    private boolean sharesMachine() {
        return config.addresses().isEmpty();
    }

    /** The cuts that the storage tier can serve; at least one unless the user gives the cut. */
    private List<Cut> served() {
        List<Cut> served = plan.served(sharesMachine() ? own().limits() : null);
        if (given == null && served.isEmpty()) {
            String limit =
                    plan.served(null).isEmpty()
                            ? "answers to requests of %d images are longer than %d bytes"
                                    .formatted(plan.perRequest(), FeatureBatch.LONGEST_PAYLOAD)
                            : "requests of %d images need more than --memory %s"
                                    .formatted(plan.perRequest(), config.ownMemory());
            throw new IllegalStateException(
                    limit + " with any split; use fewer --images-per-request");
        }
        return served;
    }

    private Profile profile(List<Cut> served) throws IOException {
        List<byte[]> sample = sample(plan.folder());
        List<byte[]> photos =
                sample.isEmpty() ? Profiler.examples(plan.network(), SAMPLED) : sample;
        ComputeTimes alone = Profiler.measure(plan.network(), plan.microBatch(), photos);
        // The machine of a remote tier cannot be measured from here.
        int busy = sharesMachine() ? Math.min(config.storageSlots() + 1, PROCESSORS) : 1;
        ComputeTimes times =
                busy == 1
                        ? alone
                        : Profiler.measure(plan.network(), plan.microBatch(), photos, busy);
        return new Profile(
                plan.network(),
                plan.freeze(),
                plan.imageBytes(),
                // Training starts after the last feature has arrived.
                times.first(plan.head().steps()),
                alone.first(plan.head().steps()),
                plan.encoding().bytes(),
                served::contains);
    }

    /** The settings of the tier inside this process. */
    private StorageConfig own() {
        return new StorageConfig(
                null,
                config.ownMemory(),
                config.storageSlots(),
                1,
                "127.0.0.1",
                0,
                List.of(plan.folder().folder().toString()));
    }

    /** Some stored images that can be decoded, for measuring. */
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

    private ExtractionResult extract(Cut cut, CutReview review, Consumer<String> say)
            throws Exception {
        if (!config.addresses().isEmpty()) {
            return views(config.addresses(), cut, review, say);
        }
        // Loads the plugin here; otherwise the tier would load it during its first request.
        plan.folder().folder().getFileSystem();
        try (StorageServer server = StorageServer.own(own())) {
            return views(server.doors(), cut, review, say);
        }
    }

    private ExtractionRun run(List<InetSocketAddress> addresses, Consumer<String> say) {
        return new ExtractionRun(
                addresses,
                config.tenant() == null ? config.network() : config.tenant(),
                config.storagePatience(),
                config.bandwidth(),
                say);
    }

    /**
     * The command line that trains the last layers, or another model in their place, on the
     * features.
     *
     * @param more the user's further options
     */
    public List<String> training(List<String> more) {
        List<String> arguments = new ArrayList<>(List.of("train"));
        int[] shape = plan.network().shape(plan.head());
        // Otherwise classes without training samples would not count.
        String classes = "?classes=" + plan.folder().classes().size();
        String channels = shape.length == 3 ? "&channels=first" : "";
        arguments.addAll(
                List.of(
                        "--dataset",
                        "npz:" + features.file().toAbsolutePath() + classes + channels));
        if (!given("--model", more)) {
            arguments.addAll(List.of("--model", suffix()));
        }
        if (!given("--output", more)) {
            arguments.addAll(List.of("--output", output()));
        }
        if (config.batchSize() != null && !given("--batch-size", more)) {
            arguments.addAll(List.of("--batch-size", config.batchSize().toString()));
        }
        arguments.addAll(completed(more, PLAIN_TRAINING));
        return arguments;
    }

    /** Adds defaults for options that the arguments do not give. */
    static List<String> completed(List<String> arguments, Map<String, String> defaults) {
        List<String> all = new ArrayList<>();
        defaults.forEach(
                (option, value) -> {
                    if (!given(option, arguments)) {
                        all.addAll(List.of(option, value));
                    }
                });
        all.addAll(arguments);
        return all;
    }

    /** True if a command line has an option. */
    public static boolean given(String option, List<String> arguments) {
        return arguments.stream()
                .anyMatch(each -> each.equals(option) || each.startsWith(option + "="));
    }

    /** The model address of the network's own last layers. */
    private String suffix() {
        String weights =
                config.weights() == null
                        ? ""
                        : "&weights=" + java.nio.file.Path.of(config.weights()).toAbsolutePath();
        return "suffix:%s?layer=%d&size=%d%s"
                .formatted(plan.network().name(), plan.freeze(), config.imageSize(), weights);
    }

    /** Describes the run in a sentence. */
    public String about() {
        return "%s on %d images of %.0f bytes, %d classes; measuring its layers …"
                .formatted(
                        plan.network().name(),
                        plan.folder().images(),
                        plan.imageBytes(),
                        plan.folder().classes().size());
    }
}
