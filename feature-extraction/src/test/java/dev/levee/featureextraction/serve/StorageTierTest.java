package dev.levee.featureextraction.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.Packer;
import dev.levee.featureextraction.compute.StorageClient;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;

import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import javax.imageio.ImageIO;

/** A storage tier without Flink, and real compute tiers that ask it over sockets. */
@Tag("native")
class StorageTierTest {
    private static final LayeredNetwork NETWORK =
            LayeredNetwork.open("cifarnet", new int[] {3, 32, 32}, 2);
    private static final InetSocketAddress NOBODY = new InetSocketAddress("127.0.0.1", 1);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir java.nio.file.Path folder;

    private final ConcurrentLinkedQueue<RequestOutcome> served = new ConcurrentLinkedQueue<>();
    private PackedFolder images;

    @BeforeEach
    void pack() throws IOException {
        Random random = new Random(4);
        for (int i = 0; i < 24; i++) {
            BufferedImage image = new BufferedImage(32, 32, BufferedImage.TYPE_INT_RGB);
            for (int pixel = 0; pixel < 1024; pixel++) {
                image.setRGB(pixel % 32, pixel / 32, random.nextInt(1 << 24));
            }
            java.nio.file.Path home = folder.resolve("images/class" + i % 2);
            Files.createDirectories(home);
            ImageIO.write(image, "png", home.resolve(i + ".png").toFile());
        }
        images =
                new Packer(8, 1)
                        .pack(
                                Path.fromLocalFile(folder.resolve("images").toFile()),
                                Path.fromLocalFile(packed().toFile()))
                        .folder();
    }

    /** A folder whose name is not a URI. */
    private java.nio.file.Path packed() {
        return folder.resolve("my photos, 100% [a]");
    }

    private StorageTier tier(int port, long memory) throws IOException {
        return new StorageTier(
                new InetSocketAddress("127.0.0.1", port),
                new StorageLimits(memory, 2, List.of(images.folder().toString())),
                served::add);
    }

    private static StorageClient client(String tenant, Cut cut, InetSocketAddress... addresses) {
        return new StorageClient(
                List.of(addresses),
                tenant,
                new Extraction(NETWORK, cut, Scaling.UNIT, 4, 8),
                NETWORK.section(NETWORK.start(), cut).parameters(NETWORK.initialParameters(1)),
                PATIENCE);
    }

    private static final class Answers implements Consumer<FeatureBatch> {
        private final FeatureBatch[] all;

        Answers(int count) {
            all = new FeatureBatch[count];
        }

        @Override
        public void accept(FeatureBatch batch) {
            assertThat(all[batch.index()]).isNull();
            all[batch.index()] = batch;
        }

        List<byte[]> payloads() {
            return Arrays.stream(all).map(FeatureBatch::payload).toList();
        }
    }

    private Answers undisturbed(Cut cut) throws Exception {
        List<FeatureRequest> requests = FeatureRequest.all(images, 3);
        Answers answers = new Answers(requests.size());
        try (StorageTier tier = tier(0, 1 << 28)) {
            StorageClient.Received received =
                    client("calm", cut, tier.address()).fetch(requests, answers);
            assertThat(received.repeated()).isZero();
            assertThat(received.bytes())
                    .isGreaterThan(
                            answers.payloads().stream().mapToLong(each -> each.length).sum());
        }
        return answers;
    }

    @Test
    void tenantsShareATierAndEachHasItsOwnAnswers() throws Exception {
        List<Cut> cuts = List.of(NETWORK.start(), NETWORK.after(2), NETWORK.after(7));
        List<FeatureRequest> requests = FeatureRequest.all(images, 3);
        assertThat(requests).hasSize(9);
        try (StorageTier tier = tier(0, 1 << 26)) {
            List<Answers> answers = new ArrayList<>();
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < cuts.size(); i++) {
                StorageClient client = client("tenant" + i, cuts.get(i), tier.address());
                Answers own = new Answers(requests.size());
                answers.add(own);
                all.add(
                        CompletableFuture.runAsync(
                                () -> {
                                    try {
                                        client.fetch(requests, own);
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                }));
            }
            for (CompletableFuture<Void> each : all) {
                each.get(5, TimeUnit.MINUTES);
            }
            for (int i = 0; i < cuts.size(); i++) {
                List<byte[]> alone = undisturbed(cuts.get(i)).payloads();
                assertThat(answers.get(i).payloads()).containsExactlyElementsOf(alone);
            }
        }
        assertThat(served)
                .extracting(RequestOutcome::tenant)
                .contains("tenant0", "tenant1", "tenant2");
        assertThat(served).allMatch(each -> each.failure() == null && each.batch() > 0);
    }

    @Test
    void aTierThatEndsAndComesBackCostsTimeAndNoData() throws Exception {
        List<byte[]> expected = undisturbed(NETWORK.after(7)).payloads();
        List<FeatureRequest> requests = FeatureRequest.all(images, 3);
        Answers answers = new Answers(requests.size());
        List<StorageTier> tiers = new ArrayList<>(List.of(tier(0, 1 << 28)));
        InetSocketAddress address = tiers.get(0).address();
        StorageClient.Received received =
                client("me", NETWORK.after(7), address)
                        .fetch(
                                requests,
                                batch -> {
                                    answers.accept(batch);
                                    if (tiers.size() < 4) {
                                        restart(tiers, address);
                                    }
                                });
        tiers.get(tiers.size() - 1).close();

        assertThat(answers.payloads()).containsExactlyElementsOf(expected);
        assertThat(received.reconnections()).isPositive();
    }

    private void restart(List<StorageTier> tiers, InetSocketAddress address) {
        try {
            tiers.get(tiers.size() - 1).close();
            tiers.add(tier(address.getPort(), 1 << 28));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first address is one where nobody listens. */
    @Test
    void whatOneDoorDoesNotAnswerAnotherDoes() throws Exception {
        List<byte[]> expected = undisturbed(NETWORK.after(2)).payloads();
        List<FeatureRequest> requests = FeatureRequest.all(images, 3);
        Answers answers = new Answers(requests.size());
        try (StorageTier one = tier(0, 1 << 28);
                StorageTier other = tier(0, 1 << 28)) {
            client("me", NETWORK.after(2), NOBODY, one.address(), other.address())
                    .fetch(requests, answers);
        }
        assertThat(answers.payloads()).containsExactlyElementsOf(expected);
    }

    private String failure(long memory, List<FeatureRequest> requests) throws IOException {
        try (StorageTier tier = tier(0, memory)) {
            StringBuilder sentence = new StringBuilder();
            assertThatThrownBy(
                            () ->
                                    client("me", NETWORK.after(7), tier.address())
                                            .fetch(requests, batch -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .satisfies(e -> sentence.append(e.getMessage()));
            return sentence.toString();
        }
    }

    private static FeatureRequest request(String object, int images) {
        return new FeatureRequest(0, object, 0, images, new PackedFolder.Contents(images, 100, ""));
    }

    @Test
    void anObjectThatWasReplacedDuringTheRunIsNotRead() throws Exception {
        List<FeatureRequest> requests = FeatureRequest.all(images, 3);
        new Packer(8, 2)
                .pack(Path.fromLocalFile(folder.resolve("images").toFile()), images.folder());

        assertThat(failure(1 << 28, requests))
                .endsWith(" has other images than the list of its folder: it has been replaced");
    }

    @Test
    void whatWillNeverBeAnsweredIsSaidAtOnce() throws Exception {
        List<FeatureRequest> requests = FeatureRequest.all(images, 8);
        java.nio.file.Path second = packed().resolve("part-00001.pack");

        assertThat(failure(100_000, requests))
                .matches(
                        "request \\d of me needs \\d+ bytes for its layers and its answer "
                                + "and \\d+ per image, more than the available 100000");
        assertThat(failure(1 << 28, List.of(request("file:/etc/passwd", 1))))
                .startsWith(
                        "file:/etc/passwd is not served by this storage tier, which "
                                + "serves file:");
        String around = images.folder() + "/../images/class0/0.png";
        assertThat(failure(1 << 28, List.of(request(around, 1))))
                .startsWith(around + " is not served by this storage tier");
        assertThat(failure(1 << 28, List.of(request("", 1))))
                .isEqualTo("Can not create a Path from an empty string");
        assertThat(failure(1 << 28, List.of(request(requests.get(0).object(), 9))))
                .endsWith("has 8 images instead of 9: it has been replaced");
        byte[] whole = Files.readAllBytes(second);
        Files.write(second, Arrays.copyOf(whole, whole.length - 10));
        assertThat(failure(1 << 28, requests))
                .contains("part-00001.pack ends too early, in image ");
        whole[whole.length - 10] ^= 1;
        Files.write(second, whole);
        assertThat(failure(1 << 28, requests)).endsWith(" has a wrong checksum");
        Files.delete(second);
        assertThat(failure(1 << 28, requests)).contains("part-00001.pack cannot be read: ");
    }

    @Test
    void aWatchThatHasStoppedTheRequestsIsNotAskedAgain() throws Exception {
        List<FeatureRequest> requests = FeatureRequest.all(images, 1);
        AtomicInteger asked = new AtomicInteger();
        try (StorageTier tier = tier(0, 1 << 28)) {
            StorageClient.Received received =
                    client("me", NETWORK.after(7), tier.address())
                            .fetch(
                                    requests,
                                    batch -> {},
                                    (rate, left) -> asked.incrementAndGet() == 0);
            assertThat(received.left()).isNotEmpty();
        }
        assertThat(asked).hasValue(1);
    }

    /** Decoded, the images of a request would need more memory than there is. */
    @Test
    void storedImagesNeedNoMemoryForTensors() throws Exception {
        try (StorageTier tier = tier(0, 100_000)) {
            List<FeatureRequest> requests = FeatureRequest.all(images, 8);
            client("me", NETWORK.start(), tier.address()).fetch(requests, batch -> {});
        }
        assertThat(served).hasSize(3);
    }

    @Test
    void anAnswerLongerThanAMessageIsRefused() throws Exception {
        String object = FeatureRequest.all(images, 8).get(0).object();
        assertThat(failure(1L << 40, List.of(request(object, 1 << 30))))
                .matches(
                        "the answer to 1073741824 images has up to \\d+ bytes, more than"
                                + " 1073741824: use fewer --images-per-request");
    }

    /** Sockets without a peer, whose connections end as soon as they are read. */
    @Test
    void connectionsThatEndAtOnceAreForgotten() throws IOException {
        try (StorageTier tier = tier(0, 1 << 26)) {
            for (int i = 0; i < 50; i++) {
                tier.connect(new Socket());
            }
            while (tier.connections() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void silenceEndsInASentence() {
        StorageClient client =
                new StorageClient(
                        List.of(NOBODY),
                        "me",
                        new Extraction(NETWORK, NETWORK.start(), Scaling.UNIT, 4, 8),
                        new float[0],
                        Duration.ofSeconds(5));
        assertThatThrownBy(() -> client.fetch(FeatureRequest.all(images, 8), batch -> {}))
                .hasMessageMatching(
                        "the storage tier at tcp://127.0.0.1:\\d+ has not answered for 5 s: "
                                + "tcp://127.0.0.1:\\d+: Connection refused");
    }

    @Test
    void parametersOnTheirWayWaitWhereThereIsNoRoomForThem() throws Exception {
        try (StorageTier tier = tier(0, 1 << 26)) {
            // More than there is at all: it gets everything, and must not wait for ever.
            Runnable all = tier.roomFor(Runtime.getRuntime().maxMemory());
            CompletableFuture<Runnable> other = new CompletableFuture<>();
            Thread waiting =
                    new Thread(
                            () -> {
                                try {
                                    other.complete(tier.roomFor(1));
                                } catch (IOException | InterruptedException e) {
                                    other.completeExceptionally(e);
                                }
                            });
            waiting.start();
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
                assertThat(other).isNotDone();
                Thread.onSpinWait();
            }
            assertThat(other).isNotDone();
            all.run();
            other.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).run();
            tier.roomFor(Runtime.getRuntime().maxMemory()).run();
        }
    }
}
