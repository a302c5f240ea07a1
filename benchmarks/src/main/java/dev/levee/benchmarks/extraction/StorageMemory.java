package dev.levee.benchmarks.extraction;

import dev.levee.benchmarks.Machine;
import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.Packer;
import dev.levee.featureextraction.compute.StorageClient;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.featureextraction.serve.RequestOutcome;
import dev.levee.featureextraction.serve.StorageLimits;
import dev.levee.featureextraction.serve.StorageTier;
import dev.levee.jobs.internal.finetune.DigitPhotos;
import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Measures the memory of a storage tier in a separate process while many tenants request features
 * of several networks. Prints the limit, the tier's own measurement, and the peak according to
 * Linux. {@link LimitedChild} describes the limit of the operating system.
 */
public final class StorageMemory {
    private static final List<String> NETWORKS =
            List.of("resnet18", "densenet121", "alexnet", "resnet50", "cifarnet");
    private static final int PHOTOS = 64;
    private static final int PER_REQUEST = 16;
    private static final int MICRO_BATCH = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(9);

    private StorageMemory() {}

    /**
     * Arguments: megabytes of memory (768), threads (2), tenants (10), and megabytes of Java's heap
     * (as many as of memory).
     */
    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("serve")) {
            serve(Long.parseLong(args[1]) << 20, Integer.parseInt(args[2]), args[3]);
            return;
        }
        int megabytes = args.length > 0 ? Integer.parseInt(args[0]) : 768;
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int tenants = args.length > 2 ? Integer.parseInt(args[2]) : 10;
        int heap = args.length > 3 ? Integer.parseInt(args[3]) : megabytes;
        Machine.print();
        java.nio.file.Path folder = Files.createTempDirectory("levee-memory-");
        try {
            new DigitPhotos(0, 9, PHOTOS, 256, 40).draw(folder.resolve("drawn"));
            PackedFolder packed =
                    new Packer(PER_REQUEST, 1)
                            .pack(
                                    new Path("file", null, folder.resolve("drawn").toString()),
                                    new Path("file", null, folder.resolve("packed").toString()))
                            .folder();
            ask(packed, megabytes, threads, tenants, heap);
        } finally {
            DigitPhotos.delete(folder);
        }
    }

    /**
     * Runs a storage tier in the child process until its input ends, then prints its measurement.
     */
    private static void serve(long memory, int threads, String objects) throws IOException {
        ConcurrentLinkedQueue<RequestOutcome> served = new ConcurrentLinkedQueue<>();
        try (StorageTier tier =
                new StorageTier(
                        new InetSocketAddress("127.0.0.1", 0),
                        new StorageLimits(memory, threads, List.of(objects)),
                        served::add)) {
            System.out.println(tier.address().getPort());
            while (System.in.read() >= 0) {
                continue; // the parent process holds the other end
            }
            long failures = served.stream().filter(each -> each.failure() != null).count();
            int smallest = served.stream().mapToInt(RequestOutcome::batch).min().orElse(0);
            System.out.printf(
                    Locale.ROOT,
                    "%.0f %d %d %d%n",
                    tier.memory().most() / 1e6,
                    served.size(),
                    failures,
                    smallest);
        }
        System.exit(0);
    }

    private static void ask(PackedFolder packed, int megabytes, int threads, int tenants, int heap)
            throws Exception {
        LimitedChild child = tier(packed, megabytes, threads, heap);
        InetSocketAddress address = address(child);
        double before = child.resident();
        List<Thread> threadsOfTenants = new ArrayList<>();
        ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < tenants; i++) {
            String tenant = "tenant" + i;
            String network = NETWORKS.get(i % NETWORKS.size());
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    client(tenant, network, address)
                                            .fetch(
                                                    FeatureRequest.all(packed, PER_REQUEST),
                                                    batch -> {});
                                } catch (InterruptedException | IllegalStateException e) {
                                    failures.add(tenant + ": " + e.getMessage());
                                }
                            },
                            tenant);
            thread.start();
            threadsOfTenants.add(thread);
        }
        for (Thread thread : threadsOfTenants) {
            thread.join();
        }
        child.close();
        String last = child.line();
        child.await();
        double most = child.most();
        System.out.println(
                "| --memory MB | heap MB | tenants | measured, most MB | process before MB | process,"
                        + " most MB | requests | failures | smallest batch |\n|---|---|---|---|---|---|---|---|---|");
        String[] said = last == null ? new String[] {"–", "–", "–", "–"} : last.split(" ");
        System.out.printf(
                Locale.ROOT,
                "| %d | %d | %d | %s | %.0f | %.0f | %s | %s | %s |%n",
                megabytes,
                heap,
                tenants,
                said[0],
                before,
                most,
                said[1],
                said[2],
                said[3]);
        failures.forEach(System.out::println);
    }

    /**
     * Starts a storage tier as a child process, which first prints the port that {@link #address}
     * reads.
     */
    static LimitedChild tier(PackedFolder packed, int megabytes, int threads, int heap)
            throws IOException {
        return new LimitedChild(
                heap,
                StorageMemory.class,
                List.of(
                        "serve",
                        String.valueOf(megabytes),
                        String.valueOf(threads),
                        packed.folder().toString()));
    }

    /** The address that the tier listens on. */
    static InetSocketAddress address(LimitedChild tier) throws IOException {
        return new InetSocketAddress("127.0.0.1", Integer.parseInt(tier.line()));
    }

    private static StorageClient client(String tenant, String name, InetSocketAddress address) {
        int side = name.equals("cifarnet") ? 32 : 96;
        LayeredNetwork network = LayeredNetwork.open(name, new int[] {3, side, side}, 10);
        // AlexNet is used without its dense layers, whose parameters alone would need more memory.
        Cut cut = network.after(name.equals("alexnet") ? 12 : network.freezeIndex());
        return new StorageClient(
                List.of(address),
                tenant,
                new Extraction(network, cut, Scaling.UNIT, MICRO_BATCH, PER_REQUEST),
                network.section(network.start(), cut).parameters(network.initialParameters(1)),
                PATIENCE);
    }
}
