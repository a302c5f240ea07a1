package dev.levee.jobs.internal.finetune;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.featureextraction.extract.Augmentation;
import dev.levee.featureextraction.extract.Encoding;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.featureextraction.link.MessageStream;
import dev.levee.featureextraction.serve.StorageLimits;
import dev.levee.featureextraction.split.Profile;
import dev.levee.jobs.internal.config.FinetuneConfig;
import dev.levee.jobs.internal.config.setting.Values;
import dev.levee.jobs.internal.report.summary.Sha256;
import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.PretrainedWeights;
import dev.levee.learners.layers.Section;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * Describes the features to extract. It does not depend on the cut.
 *
 * @param folder the images
 * @param network the whole network
 * @param parameters the network's flat parameter vector
 * @param freeze index of the last frozen layer
 * @param scaling how pixels are scaled to the network's input
 * @param microBatch number of images that pass through the layers together
 * @param perRequest number of images in a request
 * @param encoding encoding of features on the link
 * @param augmentation the view of the images
 * @param views number of views besides the original images
 */
record ExtractionPlan(
        PackedFolder folder,
        LayeredNetwork network,
        float[] parameters,
        int freeze,
        Scaling scaling,
        int microBatch,
        int perRequest,
        Encoding encoding,
        Augmentation augmentation,
        int views) {
    /**
     * Creates a plan from the user's options. Reads the list of images and the weights.
     *
     * @param images location of the images
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    static ExtractionPlan of(FinetuneConfig config, Path images) {
        PackedFolder folder;
        try {
            folder = PackedFolder.open(images);
        } catch (IOException e) {
            throw new IllegalArgumentException("--dataset: " + e.getMessage(), e);
        }
        LayeredNetwork network =
                Values.named(
                        "--network %s --image-size %d"
                                .formatted(config.network(), config.imageSize()),
                        () ->
                                LayeredNetwork.open(
                                        NetworkOption.name(config.network()),
                                        new int[] {3, config.imageSize(), config.imageSize()},
                                        folder.classes().size()));
        int freeze = config.freeze() == null ? network.freezeIndex() : config.freeze();
        ExtractionPlan plan =
                new ExtractionPlan(
                        folder,
                        network,
                        parameters(config, network),
                        freeze,
                        config.pixels(),
                        config.microBatch(),
                        config.imagesPerRequest(),
                        config.encoding(),
                        new Augmentation(config.seed(), 0),
                        config.augment());
        Values.named("--freeze", () -> new Profile(network, freeze, plan.imageBytes(), null));
        return plan;
    }

    private static float[] parameters(FinetuneConfig config, LayeredNetwork network) {
        return config.weights() == null
                ? network.initialParameters(config.seed())
                : Values.named(
                        "--weights",
                        () ->
                                PretrainedWeights.read(
                                                java.nio.file.Path.of(config.weights()),
                                                network,
                                                config.seed())
                                        .values());
    }

    /**
     * The user's cut, null for auto.
     *
     * @param split the value of {@code --split}
     * @throws IllegalArgumentException if the value is invalid; one sentence
     */
    Cut given(String split) {
        return switch (split) {
            case "auto" -> null;
            case "none" -> network.start();
            case "all" -> head();
            default -> {
                if (!split.matches("\\d{1,4}") || Integer.parseInt(split) > freeze) {
                    throw new IllegalArgumentException(
                            "--split must be auto, none, all or a layer from 0 to %d, got %s"
                                    .formatted(freeze, split));
                }
                yield network.after(Integer.parseInt(split));
            }
        };
    }

    /** Average size of a stored image, in bytes. */
    public double imageBytes() {
        return (double) folder.bytes() / folder.images();
    }

    /**
     * The cut at which training begins: behind the frozen layers and the steps pushed down to them.
     */
    public Cut head() {
        return network.pushedDown(network.after(freeze));
    }

    /** Creates the request to a storage tier. */
    Extraction extraction(Cut cut) {
        return new Extraction(
                network, cut, scaling, microBatch, perRequest, encoding, augmentation);
    }

    /** Returns this plan for another view of the images. */
    ExtractionPlan view(int number) {
        return new ExtractionPlan(
                folder,
                network,
                parameters,
                freeze,
                scaling,
                microBatch,
                perRequest,
                encoding,
                new Augmentation(augmentation.seed(), number),
                views);
    }

    /** The parameters of the layers before a cut. */
    float[] before(Cut cut) {
        return network.section(network.start(), cut).parameters(parameters);
    }

    /** The frozen layers behind a cut. */
    Section rest(Cut cut) {
        return network.section(cut, head());
    }

    /** The requests for all images. */
    List<FeatureRequest> requests() {
        return FeatureRequest.all(folder, perRequest);
    }

    /**
     * The cuts whose requests a storage tier can answer.
     *
     * @param limits the limits of the tier, null if they are unknown
     */
    List<Cut> served(StorageLimits limits) {
        List<FeatureRequest> all = requests();
        // The memory of a request grows with its images or, without a split, with its bytes.
        List<FeatureRequest> largest =
                List.of(
                        Collections.max(all, Comparator.comparing(FeatureRequest::images)),
                        Collections.max(all, Comparator.comparing(FeatureRequest::storedBytes)));
        return new Profile(network, freeze, imageBytes(), null)
                .cuts().stream()
                        .filter(cut -> largest.stream().allMatch(each -> admits(limits, cut, each)))
                        .toList();
    }

    private boolean admits(StorageLimits limits, Cut cut, FeatureRequest request) {
        return limits == null
                ? StorageLimits.answerable(extraction(cut), request)
                : limits.admit(extraction(cut), request);
    }

    /**
     * Returns the SHA-256, in hexadecimal, of everything that determines the features: images,
     * network, first trained layer, frozen parameters, scaling, micro-batch, encoding, views. The
     * cut is left out; with a lossy encoding, features depend on it within the encoding's error
     * bound.
     */
    public String key() {
        MessageDigest digest = Sha256.digest();
        String words =
                "%s %d %s %s %d %s %d %d"
                        .formatted(
                                network.name(),
                                network.shape()[1],
                                head(),
                                scaling.hashCode(),
                                microBatch,
                                encoding,
                                views,
                                views == 0 ? 0 : augmentation.seed());
        digest.update(words.getBytes(StandardCharsets.UTF_8));
        for (PackedFolder.Item item : folder.objects()) {
            digest.update(item.hash().getBytes(StandardCharsets.UTF_8));
        }
        MessageStream.digest(before(head()), digest);
        return HexFormat.of().formatHex(digest.digest());
    }
}
