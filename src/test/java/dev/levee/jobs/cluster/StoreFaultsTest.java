package dev.levee.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.Packer;
import dev.levee.featureextraction.compute.StorageClient;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.featureextraction.serve.StorageLimits;
import dev.levee.featureextraction.serve.StorageTier;
import dev.levee.learners.layers.LayeredNetwork;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.awt.image.BufferedImage;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

import javax.imageio.ImageIO;

/** A storage tier whose store, a real S3 server, answers through a proxy that spoils answers. */
@Tag("cluster")
@Tag("native")
class StoreFaultsTest {
    private static final LayeredNetwork NETWORK =
            LayeredNetwork.open("cifarnet", new int[] {3, 32, 32}, 2);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String OBJECT = "part-00001.pack";

    @TempDir static java.nio.file.Path directory;

    private static LocalStore store;
    private static PackedFolder images;
    private static Map<Integer, byte[]> expected;

    @BeforeAll
    static void pack() throws Exception {
        store = LocalStore.start(directory.resolve("store"), 0);
        store.bucket("levee");
        Configuration configuration =
                ObjectStores.configured(new Configuration(), Map.of(), Optional.of(store));
        ObjectStores.IMPATIENT.forEach(configuration::setString);
        ObjectStores.prepare(configuration);
        Random random = new Random(5);
        for (int i = 0; i < 12; i++) {
            BufferedImage image = new BufferedImage(32, 32, BufferedImage.TYPE_INT_RGB);
            for (int pixel = 0; pixel < 1024; pixel++) {
                image.setRGB(pixel % 32, pixel / 32, random.nextInt(1 << 24));
            }
            java.nio.file.Path home = directory.resolve("images/class" + i % 2);
            Files.createDirectories(home);
            ImageIO.write(image, "png", home.resolve(i + ".png").toFile());
        }
        images =
                new Packer(6, 1)
                        .pack(
                                Path.fromLocalFile(directory.resolve("images").toFile()),
                                new Path("s3a://levee/images"))
                        .folder();
        expected = fetch();
    }

    @AfterAll
    static void stop() throws IOException {
        FileSystem.initialize(new Configuration(), null);
        store.close();
    }

    /** Answers by their index. */
    private static Map<Integer, byte[]> fetch() throws Exception {
        Map<Integer, byte[]> answers = new TreeMap<>();
        try (StorageTier tier =
                new StorageTier(
                        new InetSocketAddress("127.0.0.1", 0),
                        new StorageLimits(1 << 28, 1, List.of("s3a://levee/")),
                        served -> {})) {
            new StorageClient(
                            List.of(tier.address()),
                            "me",
                            new Extraction(NETWORK, NETWORK.after(7), Scaling.UNIT, 4, 6),
                            NETWORK.prefix(7).parameters(NETWORK.initialParameters(1)),
                            PATIENCE)
                    .fetch(
                            FeatureRequest.all(images, 6),
                            batch -> answers.put(batch.index(), batch.payload()));
        }
        return answers;
    }

    private static FaultyProxy proxy(FaultyProxy.Fault fault, int times) throws IOException {
        URI endpoint = URI.create(store.endpoint());
        return new FaultyProxy(
                new InetSocketAddress(endpoint.getHost(), endpoint.getPort()),
                OBJECT,
                fault,
                times);
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "SLOW", "SLOW_DOWN", "BROKEN", "TRUNCATED"})
    void whatPassesCostsTimeAndNoBit(FaultyProxy.Fault fault) throws Exception {
        try (FaultyProxy proxy = proxy(fault, 2);
                Closeable through = ObjectStores.through(proxy.address())) {
            Map<Integer, byte[]> answers = fetch();

            assertThat(proxy.spoilt()).isBetween(fault == FaultyProxy.Fault.NONE ? 0 : 1, 2);
            assertThat(answers.keySet()).isEqualTo(expected.keySet());
            answers.forEach((index, bytes) -> assertThat(bytes).isEqualTo(expected.get(index)));
        }
    }

    @ParameterizedTest
    @CsvSource({"DENIED, Forbidden", "GONE, Not Found", "CHANGED, ETag"})
    void whatNoAttemptChangesEndsInASentence(FaultyProxy.Fault fault, String cause)
            throws Exception {
        try (FaultyProxy proxy = proxy(fault, Integer.MAX_VALUE);
                Closeable through = ObjectStores.through(proxy.address())) {
            assertThatThrownBy(() -> fetch())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("s3a://levee/images/" + OBJECT + " cannot be read: ")
                    .hasMessageContaining(cause);
        }
    }

    /** The store is not there when it is asked, and comes back. */
    @Test
    void aStoreThatEndsAndComesBackCostsTimeAndNoBit() throws Exception {
        int port = URI.create(store.endpoint()).getPort();
        store.kill();
        Thread later =
                new Thread(
                        () -> {
                            try {
                                store = LocalStore.start(directory.resolve("store"), port);
                            } catch (IOException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        later.start();
        Map<Integer, byte[]> answers = fetch();
        later.join();

        answers.forEach((index, bytes) -> assertThat(bytes).isEqualTo(expected.get(index)));
        assertThat(answers).hasSize(2);
    }
}
