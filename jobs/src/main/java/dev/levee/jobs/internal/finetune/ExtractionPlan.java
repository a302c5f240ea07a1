package dev.levee.jobs.internal.finetune;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.featureextraction.extract.Augmentation;
import dev.levee.featureextraction.extract.Encoding;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.featureextraction.split.Profile;
import dev.levee.jobs.internal.config.FinetuneConfig;
import dev.levee.jobs.internal.config.setting.Values;
import dev.levee.jobs.internal.report.summary.Sha256;
import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.Section;
import dev.levee.learners.layers.Weights;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/**
 * The wanted features, whatever the split.
 *
 * @param folder the images
 * @param network the whole network
 * @param parameters its flat vector
 * @param freeze index of the last layer that is not trained
 * @param scaling how pixels become its input
 * @param microBatch images that go through the layers together
 * @param perRequest images of a request
 * @param encoding how features cross the link
 * @param augmentation which view of the images is wanted
 * @param views how many there are beside the images as they are
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
     * Makes a plan of the user's options; reads the list of images and the weights.
     *
     * @param images where the images are
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
                                Weights.read(
                                                java.nio.file.Path.of(config.weights()),
                                                network,
                                                config.seed())
                                        .values());
    }

    /**
     * The cut that a user chose, null for auto.
     *
     * @param split as {@code --split} has it
     * @throws IllegalArgumentException if it is none; one sentence
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

    /** Bytes of a stored image, on average. */
    public double imageBytes() {
        return (double) folder.bytes() / folder.images();
    }

    /** The cut behind which training begins: the frozen layers and steps pushed down to them. */
    public Cut head() {
        return network.pushedDown(network.after(freeze));
    }

    /** The request to a storage tier. */
    Extraction extraction(Cut cut) {
        return new Extraction(
                network, cut, scaling, microBatch, perRequest, encoding, augmentation);
    }

    /** The same for another view of the images. */
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

    /** Parameters of what lies before a cut. */
    float[] before(Cut cut) {
        return network.section(network.start(), cut).parameters(parameters);
    }

    /** The layers between a cut and the trained ones. */
    Section rest(Cut cut) {
        return network.section(cut, head());
    }

    /** Requests for all images. */
    List<FeatureRequest> requests() {
        return FeatureRequest.all(folder, perRequest);
    }

    /**
     * The SHA-256, in hexadecimal, of everything that features depend on: images, network, start of
     * training, frozen parameters, scaling, micro-batch, encoding, views. Not where the network is
     * cut, on which an encoding with loss depends within its bound.
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
        float[] frozen = before(head());
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * frozen.length);
        bytes.asFloatBuffer().put(frozen);
        digest.update(bytes);
        return HexFormat.of().formatHex(digest.digest());
    }
}
