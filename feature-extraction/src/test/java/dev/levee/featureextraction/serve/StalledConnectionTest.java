package dev.levee.featureextraction.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.PackedImage;
import dev.levee.connectors.data.packed.PackedObject;
import dev.levee.featureextraction.compute.StorageClient;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.featureextraction.link.Message;
import dev.levee.featureextraction.link.MessageStream;
import dev.levee.learners.layers.LayeredNetwork;

import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Clients that read nothing for a while. An answer has 32 MB, more than the operating system takes
 * for a peer that does not read, and beside an unsent one, the tier has no memory for a request.
 */
@Tag("native")
class StalledConnectionTest {
    private static final int LENGTH = 1 << 25;
    private static final LayeredNetwork NETWORK =
            LayeredNetwork.open("cifarnet", new int[] {3, 32, 32}, 2);
    private static final Extraction EXTRACTION =
            new Extraction(NETWORK, NETWORK.start(), Scaling.UNIT, 4, 8);

    @TempDir java.nio.file.Path folder;

    private final Queue<RequestOutcome> served = new ConcurrentLinkedQueue<>();
    private List<FeatureRequest> requests;

    @BeforeEach
    void write() throws IOException {
        java.nio.file.Path file = folder.resolve("large.pack");
        try (OutputStream out = Files.newOutputStream(file)) {
            PackedObject.write(out, List.of(new PackedImage("a", 0, new byte[LENGTH])));
        }
        String object = Path.fromLocalFile(file.toFile()).toString();
        PackedFolder.Contents contents = new PackedFolder.Contents(1, LENGTH, "");
        requests =
                IntStream.range(0, 3)
                        .mapToObj(i -> new FeatureRequest(i, object, 0, 1, contents))
                        .toList();
    }

    private StorageTier tier(Duration stalled) throws IOException {
        return new StorageTier(
                new InetSocketAddress("127.0.0.1", 0),
                new StorageLimits(3L * LENGTH, 2, List.of("file:"), false),
                served::add,
                stalled);
    }

    private static StorageClient client(String tenant, InetSocketAddress address) {
        return new StorageClient(
                List.of(address), tenant, EXTRACTION, new float[0], Duration.ofMinutes(3));
    }

    private static StorageClient.Received fetch(
            StorageClient client, List<FeatureRequest> requests, Consumer<FeatureBatch> taker) {
        try {
            return client.fetch(requests, taker);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until so many answers have been computed. The last one is then unsent. */
    private void awaitServed(int count) {
        while (served.size() < count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aClientThatReadsNothingLosesItsConnectionAndItsMemoryIfAnotherWaits() throws Exception {
        try (StorageTier tier = tier(Duration.ofMillis(100));
                MessageStream ann =
                        new MessageStream(
                                new Socket(
                                        tier.address().getAddress(), tier.address().getPort()))) {
            ann.write(new Message.Hello("ann", EXTRACTION, ""));
            for (FeatureRequest request : requests) {
                ann.write(new Message.Ask(request));
            }
            awaitServed(1);
            fetch(
                    client("bob", tier.address()),
                    requests.subList(0, 1),
                    batch -> assertThat(batch.payload()).hasSizeGreaterThan(LENGTH));
        }
    }

    /** The test accepts the client's connection, so that it can look for stalls itself. */
    @Test
    void aClientThatComputesKeepsItsConnectionIfNobodyElseWaits() throws Exception {
        Set<Integer> taken = ConcurrentHashMap.newKeySet();
        try (StorageTier tier = tier(Duration.ofHours(1));
                ServerSocket door = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            CompletableFuture<Connection> connection =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return new Connection(door.accept(), tier);
                                } catch (IOException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            connection.thenAccept(Connection::start);
            StorageClient.Received received =
                    fetch(
                            client("ann", (InetSocketAddress) door.getLocalSocketAddress()),
                            requests,
                            batch -> {
                                if (taken.isEmpty()) {
                                    awaitServed(2);
                                    for (int i = 0; i < 100_000; i++) {
                                        connection.join().closeIfStalled(Duration.ZERO);
                                    }
                                }
                                taken.add(batch.index());
                            });
            assertThat(received.reconnections()).isZero();
        }
        assertThat(taken).hasSize(requests.size());
    }

    /** Ann takes no further answer until bob has his. */
    @Test
    void aClientThatComputesWhileAnotherWaitsHasAllItsAnswersInTheEnd() throws Exception {
        Set<Integer> taken = ConcurrentHashMap.newKeySet();
        CompletableFuture<Void> bobsEnd = new CompletableFuture<>();
        try (StorageTier tier = tier(Duration.ofMillis(100))) {
            CompletableFuture<StorageClient.Received> ann =
                    CompletableFuture.supplyAsync(
                            () ->
                                    fetch(
                                            client("ann", tier.address()),
                                            requests,
                                            batch -> {
                                                bobsEnd.join();
                                                taken.add(batch.index());
                                            }));
            awaitServed(2);
            fetch(client("bob", tier.address()), requests.subList(0, 1), batch -> {});
            bobsEnd.complete(null);
            assertThat(ann.get(5, TimeUnit.MINUTES).reconnections()).isPositive();
        }
        assertThat(taken).hasSize(requests.size());
    }
}
