package dev.levee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.Packer;
import dev.levee.featureextraction.compute.StorageClient;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.featureextraction.serve.StorageLimits;
import dev.levee.featureextraction.serve.StorageTier;
import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cluster.Ports;
import dev.levee.learners.layers.LayeredNetwork;

import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

import javax.imageio.ImageIO;

/**
 * The storage tier as a job on a real cluster: the TaskManager in which its door is ends in the
 * middle of an extraction, the other one takes over, and features have the bits they always had.
 */
@ExtendWith(SharedCluster.class)
@Tag("native")
abstract class StorageTierLossTest {
    private static final LayeredNetwork NETWORK =
            LayeredNetwork.open("cifarnet", new int[] {3, 32, 32}, 2);

    @TempDir java.nio.file.Path directory;

    private PackedFolder pack() throws IOException {
        Random random = new Random(6);
        for (int i = 0; i < 60; i++) {
            BufferedImage image = new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB);
            for (int pixel = 0; pixel < 4096; pixel++) {
                image.setRGB(pixel % 64, pixel / 64, random.nextInt(1 << 24));
            }
            java.nio.file.Path home = directory.resolve("images/class" + i % 2);
            Files.createDirectories(home);
            ImageIO.write(image, "png", home.resolve(i + ".png").toFile());
        }
        return new Packer(20, 1)
                .pack(
                        Path.fromLocalFile(directory.resolve("images").toFile()),
                        Path.fromLocalFile(directory.resolve("packed").toFile()))
                .folder();
    }

    private static StorageClient.Received fetch(
            InetSocketAddress address, PackedFolder images, Consumer<FeatureBatch> taker)
            throws InterruptedException {
        return new StorageClient(
                        List.of(address),
                        "me",
                        new Extraction(NETWORK, NETWORK.after(7), Scaling.UNIT, 4, 4),
                        NETWORK.prefix(7).parameters(NETWORK.initialParameters(1)),
                        Duration.ofMinutes(4))
                .fetch(FeatureRequest.all(images, 2), taker);
    }

    @Test
    void aKilledTaskManagerCostsTimeAndNoBit(LocalCluster cluster) throws Exception {
        PackedFolder images = pack();
        Map<Integer, byte[]> expected = new TreeMap<>();
        try (StorageTier tier =
                new StorageTier(
                        new InetSocketAddress("127.0.0.1", 0),
                        new StorageLimits(1 << 28, 1, List.of("file:")),
                        served -> {})) {
            fetch(tier.address(), images, batch -> expected.put(batch.index(), batch.payload()));
        }
        assertThat(expected).hasSize(30);
        int port = Ports.free(0);
        Map<Integer, byte[]> answers = new TreeMap<>();
        CommandRun serve =
                CommandRun.start(
                        "storage",
                        "serve",
                        "--target",
                        cluster.restUrl().toString(),
                        "--port",
                        String.valueOf(port),
                        "--memory",
                        "64m",
                        "--objects",
                        images.folder().toString());
        assertThat(serve.exitCode()).isZero();
        String job = RunningJob.await(cluster).id();
        try {
            StorageClient.Received received =
                    fetch(
                            new InetSocketAddress("127.0.0.1", port),
                            images,
                            batch -> {
                                assertThat(answers.put(batch.index(), batch.payload())).isNull();
                                if (answers.size() == 3) {
                                    killDoor(cluster, job);
                                }
                            });
            assertThat(received.reconnections()).isPositive();
        } finally {
            cluster.rest().patch("/jobs/" + job);
        }
        assertThat(answers.keySet()).isEqualTo(expected.keySet());
        answers.forEach((index, bytes) -> assertThat(bytes).isEqualTo(expected.get(index)));
    }

    /** Kills the process in which subtask 0 of the job is. */
    private static void killDoor(LocalCluster cluster, String job) {
        try {
            JsonNode vertices = cluster.rest().get("/jobs/" + job).path("vertices");
            String vertex = vertices.path(0).path("id").asText();
            String process =
                    cluster.rest()
                            .get("/jobs/" + job + "/vertices/" + vertex)
                            .path("subtasks")
                            .path(0)
                            .path("taskmanager-id")
                            .asText();
            cluster.killTaskManager(Integer.parseInt(process.replaceAll("\\D", "")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
