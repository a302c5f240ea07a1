package dev.levee.featureextraction.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.Packer;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.featureextraction.link.FeatureReceiver;
import dev.levee.learners.Cut;
import dev.levee.learners.LayeredNetwork;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import javax.imageio.ImageIO;

@Tag("native")
@Tag("cluster")
class ExtractionJobTest {
    private static final LayeredNetwork NETWORK =
            LayeredNetwork.open("cifarnet", new int[] {3, 32, 32}, 2);

    @TempDir java.nio.file.Path folder;

    private PackedFolder pack() throws IOException {
        for (int i = 0; i < 20; i++) {
            BufferedImage image = new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB);
            image.setRGB(i % 8, i / 8, 0xFFFFFF);
            java.nio.file.Path home = folder.resolve("images/class" + i % 2);
            Files.createDirectories(home);
            ImageIO.write(image, "png", home.resolve(i + ".png").toFile());
        }
        return new Packer(8, 1)
                .pack(
                        Path.fromLocalFile(folder.resolve("images").toFile()),
                        Path.fromLocalFile(folder.resolve("packed").toFile()))
                .folder();
    }

    /** What comes of a job whose answers go to {@code taker}; requests are of 4 images. */
    private static int repeated(PackedFolder images, long memory, Consumer<FeatureBatch> taker)
            throws Exception {
        Cut cut = NETWORK.after(7);
        Extraction extraction =
                new Extraction(
                        "test",
                        NETWORK,
                        cut,
                        NETWORK.prefix(7).parameters(NETWORK.initialParameters(1)),
                        Scaling.UNIT,
                        4,
                        4);
        List<FeatureRequest> requests = ExtractionJob.requests(images, 4);
        assertThat(requests).hasSize(5);
        Configuration flink = new Configuration();
        flink.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 5);
        flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
        try (FeatureReceiver receiver =
                new FeatureReceiver(InetAddress.getByName("127.0.0.1"), requests.size(), taker)) {
            StreamExecutionEnvironment environment =
                    StreamExecutionEnvironment.createLocalEnvironment(2, flink);
            ExtractionJob.add(environment, extraction, requests, memory, 2, receiver.address());
            environment.execute();
            assertThat(receiver.complete()).isTrue();
            return receiver.repeated();
        }
    }

    @Test
    void aFailureCostsTimeAndNoAnswer() throws Exception {
        PackedFolder images = pack();
        List<FeatureBatch> undisturbed = new ArrayList<>();
        assertThat(repeated(images, 1 << 28, undisturbed::add)).isZero();
        List<FeatureBatch> disturbed = new ArrayList<>();
        AtomicInteger failures = new AtomicInteger();
        int repeated =
                repeated(
                        images,
                        1 << 28,
                        batch -> {
                            if (disturbed.size() == 2 && failures.getAndIncrement() < 2) {
                                throw new IllegalStateException("the compute tier is away");
                            }
                            disturbed.add(batch);
                        });

        assertThat(failures.get()).isGreaterThanOrEqualTo(2);
        assertThat(repeated).isPositive();
        assertThat(disturbed).hasSize(5);
        for (FeatureBatch batch : undisturbed) {
            FeatureBatch same =
                    disturbed.stream()
                            .filter(each -> each.index() == batch.index())
                            .findFirst()
                            .orElseThrow();
            assertThat(same.payload()).isEqualTo(batch.payload());
            assertThat(same.labels()).isEqualTo(batch.labels());
        }
    }

    @Test
    void tooLittleMemoryEndsTheJobAtOnce() throws IOException {
        PackedFolder images = pack();

        assertThatThrownBy(() -> repeated(images, 1000, batch -> {}))
                .rootCause()
                .hasMessageMatching(
                        "request test/.* needs \\d+ bytes for its layers and \\d+ for each image,"
                                + " more than the 1000 there are");
    }
}
