package dev.levee.benchmarks.extraction;

import dev.levee.benchmarks.Machine;
import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.Packer;
import dev.levee.featureextraction.compute.StorageClient;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.Extractor;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.jobs.internal.finetune.DigitPhotos;
import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Compares memory needs. The baseline passes a whole training batch through the frozen layers, as
 * without Levee. A storage tier computes the same features of the same images. Each runs in a
 * separate process with the same heap and limit.
 */
public final class BaselineMemory {
    private static final int SIDE = 224;
    private static final int CLASSES = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(9);

    private BaselineMemory() {}

    /**
     * Arguments: images in a training batch (64), megabytes of a tier's memory (640), megabytes of
     * Java's heap (320), a network (vgg11), and the last layer of its prefix (20).
     */
    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("baseline")) {
            baseline(
                    PackedFolder.open(new Path(args[1])),
                    Integer.parseInt(args[2]),
                    extraction(args[3], Integer.parseInt(args[4]), Integer.parseInt(args[2])));
            return;
        }
        int batch = args.length > 0 ? Integer.parseInt(args[0]) : 64;
        int megabytes = args.length > 1 ? Integer.parseInt(args[1]) : 640;
        int heap = args.length > 2 ? Integer.parseInt(args[2]) : 320;
        String network = args.length > 3 ? args[3] : "vgg11";
        int layer = args.length > 4 ? Integer.parseInt(args[4]) : 20;
        Machine.print();
        java.nio.file.Path folder = Files.createTempDirectory("levee-memory-");
        try {
            new DigitPhotos(0, 9, batch, 256, 40).draw(folder.resolve("drawn"));
            PackedFolder packed =
                    new Packer(batch, 1)
                            .pack(
                                    new Path("file", null, folder.resolve("drawn").toString()),
                                    new Path("file", null, folder.resolve("packed").toString()))
                            .folder();
            System.out.println(
                    "| | network | batch | images through the layers at once | process, most MB |"
                            + " images done | ended |\n|---|---|---|---|---|---|---|");
            whole(packed, batch, heap, network, layer);
            tier(packed, batch, megabytes, heap, extraction(network, layer, 8));
        } finally {
            DigitPhotos.delete(folder);
        }
        System.exit(0);
    }

    private static Extraction extraction(String name, int layer, int microBatch) {
        LayeredNetwork network = LayeredNetwork.open(name, new int[] {3, SIDE, SIDE}, CLASSES);
        Cut cut = network.pushedDown(network.after(layer));
        return new Extraction(network, cut, Scaling.UNIT, microBatch, Integer.MAX_VALUE);
    }

    /**
     * Random parameters of the prefix only, because those of the whole network would need too much
     * heap.
     */
    private static float[] parameters(Extraction extraction) {
        float[] values = new float[extraction.prefix().layout().size()];
        Random random = new Random(1);
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat() / 100;
        }
        return values;
    }

    /**
     * Runs in the child process. Prints the number of processed images, and the reason if it is not
     * all of them.
     */
    private static void baseline(PackedFolder packed, int batch, Extraction extraction)
            throws IOException {
        int done = 0;
        String ended = "in order";
        try (Extractor extractor = new Extractor(extraction, parameters(extraction))) {
            for (FeatureRequest request : FeatureRequest.all(packed, batch)) {
                done += extractor.answer(request, batch).labels().length;
            }
        } catch (OutOfMemoryError | RuntimeException e) {
            ended = e.getMessage().lines().findFirst().orElse("");
        }
        System.out.println(done + " " + ended);
        System.exit(0);
    }

    private static void whole(PackedFolder packed, int batch, int heap, String network, int layer)
            throws Exception {
        try (LimitedChild child =
                new LimitedChild(
                        heap,
                        BaselineMemory.class,
                        List.of(
                                "baseline",
                                packed.folder().toString(),
                                String.valueOf(batch),
                                network,
                                String.valueOf(layer)))) {
            String said = child.line();
            int code = child.await();
            String[] words =
                    said == null ? new String[] {"0", "by status " + code} : said.split(" ", 2);
            row("BASELINE", network, batch, batch, child.most(), words[0], words[1]);
        }
    }

    private static void tier(
            PackedFolder packed, int batch, int megabytes, int heap, Extraction extraction)
            throws Exception {
        AtomicInteger images = new AtomicInteger();
        String ended = "in order";
        LimitedChild child = StorageMemory.tier(packed, megabytes, 1, heap);
        try (child) {
            new StorageClient(
                            List.of(StorageMemory.address(child)),
                            "baseline",
                            extraction,
                            parameters(extraction),
                            PATIENCE)
                    .fetch(
                            FeatureRequest.all(packed, batch),
                            answer -> images.addAndGet(answer.labels().length));
        } catch (IllegalStateException e) {
            ended = e.getMessage();
        }
        child.await();
        row(
                "storage tier",
                extraction.network().name(),
                batch,
                extraction.microBatch(),
                child.most(),
                images.toString(),
                ended);
    }

    private static void row(
            String who,
            String network,
            int batch,
            int atOnce,
            double most,
            String images,
            String ended) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %d | %d | %.0f | %s | %s |%n",
                who,
                network,
                batch,
                atOnce,
                most,
                images,
                ended);
    }
}
