package dev.levee.featureextraction.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.PackedImage;
import dev.levee.connectors.data.packed.PackedObject;
import dev.levee.connectors.data.packed.Packer;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.Extractor;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.Forward;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.Section;

import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import javax.imageio.ImageIO;

/** Wherever the network is cut, and however requests and batches are formed, features are equal. */
@Tag("native")
class FeatureCollectorTest {
    private static final LayeredNetwork NETWORK =
            LayeredNetwork.open("cifarnet", new int[] {3, 32, 32}, 2);
    private static final float[] PARAMETERS = NETWORK.initialParameters(1);
    private static final Cut HEAD = NETWORK.pushedDown(NETWORK.after(NETWORK.freezeIndex()));

    @TempDir java.nio.file.Path folder;

    private PackedFolder pack() throws IOException {
        Random random = new Random(2);
        for (int i = 0; i < 30; i++) {
            BufferedImage image = new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB);
            for (int pixel = 0; pixel < 1200; pixel++) {
                image.setRGB(pixel % 40, pixel / 40, random.nextInt(1 << 24));
            }
            java.nio.file.Path home = folder.resolve("images/class" + i % 2);
            Files.createDirectories(home);
            ImageIO.write(image, "jpg", home.resolve(i + ".jpg").toFile());
        }
        return new Packer(12, 1)
                .pack(
                        Path.fromLocalFile(folder.resolve("images").toFile()),
                        Path.fromLocalFile(folder.resolve("packed").toFile()))
                .folder();
    }

    private static Features features(PackedFolder images, Cut cut, int perRequest, int batch)
            throws Exception {
        return features(NETWORK, HEAD, images, cut, perRequest, batch);
    }

    private static Features features(
            LayeredNetwork network,
            Cut head,
            PackedFolder images,
            Cut cut,
            int perRequest,
            int batch)
            throws Exception {
        float[] parameters = network.initialParameters(1);
        Section prefix = network.section(network.start(), cut);
        Section rest = network.section(cut, head);
        Extraction extraction = new Extraction(network, cut, Scaling.IMAGENET, 4, perRequest);
        List<FeatureRequest> requests = FeatureRequest.all(images, perRequest);
        Collections.reverse(requests);
        try (FeatureCollector collector =
                        new FeatureCollector(
                                extraction, rest, rest.parameters(parameters), requests.size());
                Extractor extractor = new Extractor(extraction, prefix.parameters(parameters))) {
            for (FeatureRequest request : requests) {
                collector.accept(extractor.answer(request, batch));
            }
            return collector.finish();
        }
    }

    @Test
    void featuresDoNotDependOnTheCut() throws Exception {
        PackedFolder images = pack();
        Features unsplit = features(images, NETWORK.start(), 12, 12);

        assertThat(unsplit.labels()).hasSize(30);
        assertThat(unsplit.shape()).containsExactly(384);
        for (Cut cut : List.of(NETWORK.after(2), NETWORK.after(7), HEAD)) {
            Features split = features(images, cut, 12, 12);
            assertThat(values(split)).isEqualTo(values(unsplit));
            assertThat(split.labels()).isEqualTo(unsplit.labels());
        }
        // Other requests, and memory for a few images at a time only.
        assertThat(values(features(images, NETWORK.after(7), 5, 2))).isEqualTo(values(unsplit));
    }

    private static float[] values(Features features) {
        FloatBuffer all = FloatBuffer.allocate(features.labels().length * 384);
        features.values().forEach(all::put);
        return all.array();
    }

    /** VGG-11 needs images of 32 pixels at least. */
    @Test
    void vgg11PassesImagesThroughAllItsLayers() throws Exception {
        LayeredNetwork vgg = LayeredNetwork.open("vgg11", new int[] {3, 32, 32}, 3);
        float[] parameters = vgg.initialParameters(1);
        float[] images = new float[2 * 3 * 32 * 32];
        Random random = new Random(3);
        for (int i = 0; i < images.length; i++) {
            images[i] = random.nextFloat();
        }
        Cut cut = vgg.pushedDown(vgg.after(vgg.freezeIndex()));
        float[] whole = outputs(vgg.section(vgg.start(), vgg.end()), parameters, images);
        float[] features = outputs(vgg.section(vgg.start(), cut), parameters, images);

        assertThat(outputs(vgg.section(cut, vgg.end()), parameters, features)).isEqualTo(whole);
        assertThat(whole).hasSize(6).doesNotContain(Float.NaN).doesNotHaveDuplicates();
    }

    private static float[] outputs(Section section, float[] parameters, float[] samples) {
        try (Forward forward = section.newForward(section.parameters(parameters), 2)) {
            return forward.outputs(samples, 2);
        }
    }

    @Test
    void batchesConsistOfWholeMicroBatches() throws Exception {
        Extraction extraction = new Extraction(NETWORK, NETWORK.after(2), Scaling.UNIT, 4, 12);
        float[] prefix = extraction.prefix().parameters(PARAMETERS);
        List<Integer> passes = new ArrayList<>();
        try (Extractor extractor = new Extractor(extraction, prefix, passes::add)) {
            extractor.answer(FeatureRequest.all(pack(), 12).get(0), 6);
        }
        // Each decoded image is a sign of life.
        assertThat(passes).containsExactly(0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4);
    }

    @Test
    void anAnswerThatCannotBeUsedEndsTheExtractionAtTheNextOne() throws Exception {
        Section rest = NETWORK.section(NETWORK.after(2), HEAD);
        Extraction extraction = new Extraction(NETWORK, NETWORK.after(2), Scaling.UNIT, 4, 4);
        try (FeatureCollector collector =
                new FeatureCollector(extraction, rest, rest.parameters(PARAMETERS), 1_000_000)) {
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 1_000_000; i++) {
                                    collector.accept(
                                            new FeatureBatch(
                                                    i,
                                                    new int[1],
                                                    new byte[3],
                                                    List.of(),
                                                    0,
                                                    0,
                                                    0));
                                }
                            })
                    .hasMessage(
                            "the answer to request 0 is unusable: 3 bytes are not those of 16384"
                                    + " values");
        }
    }

    @Test
    void whatCannotBeDecodedIsListedOnEitherSide() throws Exception {
        byte[] picture = picture();
        PackedFolder mixed =
                mixed(
                        List.of(
                                new PackedImage("a", 0, new byte[] {1, 2, 3}),
                                new PackedImage("b", 1, picture),
                                new PackedImage("c", 0, new byte[0])));
        for (Cut cut : List.of(NETWORK.start(), NETWORK.after(7))) {
            Features features = features(mixed, cut, 12, 12);
            assertThat(features.labels()).containsExactly(1);
            assertThat(features.bad())
                    .hasSize(2)
                    .allMatch(each -> each.endsWith("no known format"));
        }
    }

    /** The pixels of all these images are more than an array can hold. */
    @Test
    void withoutASplitARequestIsDecodedAMicroBatchAtATime() throws Exception {
        LayeredNetwork network =
                LayeredNetwork.open(
                        "layers:avggrid(1);flatten;dense", new int[] {3, 1024, 1024}, 2);
        List<PackedImage> images =
                new ArrayList<>(
                        Collections.nCopies(700, new PackedImage("none", 0, new byte[] {1})));
        images.set(699, new PackedImage("one", 1, picture()));

        Features features =
                features(network, network.after(1), mixed(images), network.start(), 700, 700);

        assertThat(features.labels()).containsExactly(1);
        assertThat(features.bad()).hasSize(699);
    }

    private byte[] picture() throws IOException {
        try (PackedObject object = PackedObject.open(pack().path(pack().objects().get(0)))) {
            return object.read(0).content();
        }
    }

    private PackedFolder mixed(List<PackedImage> images) throws IOException {
        try (OutputStream out = Files.newOutputStream(folder.resolve("mixed.pack"))) {
            PackedObject.write(out, images);
        }
        long bytes = images.stream().mapToLong(image -> image.content().length).sum();
        return new PackedFolder(
                Path.fromLocalFile(folder.toFile()),
                List.of("x", "y"),
                List.of(
                        new PackedFolder.Item(
                                "mixed.pack",
                                "",
                                new PackedFolder.Contents(images.size(), bytes, ""))));
    }
}
