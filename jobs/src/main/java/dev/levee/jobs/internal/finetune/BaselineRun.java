package dev.levee.jobs.internal.finetune;

import dev.levee.featureextraction.compute.FeatureCollector;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.Extractor;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.link.LinkProcess;
import dev.levee.featureextraction.link.LinkRate;
import dev.levee.jobs.cluster.ObjectStores;
import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.Section;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs the baseline without Levee's split. It reads all stored images from the object store over
 * the same link, and decodes them and computes the frozen layers here while further images arrive.
 *
 * @param bandwidth bandwidth of the link as the user wrote it, null for no limit
 */
record BaselineRun(String bandwidth) {
    private static final int HTTP = 80;

    /** Requests that fit into the heap. Up to eight are in memory, together a quarter of it. */
    private static final int REQUESTS_IN_HEAP = 32;

    /**
     * Extracts the features of all views, and reads all images again for each, because the baseline
     * keeps no features. Afterward, the object store is read directly again.
     *
     * @throws IOException if an object cannot be read; one sentence
     */
    ExtractionResult run(ExtractionPlan plan) throws IOException, InterruptedException {
        if (bandwidth == null) {
            return views(plan);
        }
        URI store = store(plan);
        int port = store.getPort() < 0 ? HTTP : store.getPort();
        try (LinkProcess link =
                        LinkProcess.start(
                                List.of(new InetSocketAddress(store.getHost(), port)), bandwidth);
                Closeable through = ObjectStores.through(link.addresses().get(0))) {
            return views(plan);
        }
    }

    /**
     * The object store whose link can be slowed.
     *
     * @throws IllegalArgumentException if the images are elsewhere; one sentence
     */
    static URI store(ExtractionPlan plan) {
        String scheme = String.valueOf(plan.folder().folder().toUri().getScheme());
        Optional<URI> endpoint = ObjectStores.endpoint();
        if (!scheme.startsWith("s3")
                || endpoint.isEmpty()
                || !endpoint.get().getScheme().equals("http")) {
            throw new IllegalArgumentException(
                    "--baseline with --bandwidth needs images in S3 at an http endpoint, because"
                            + " only that link can be slowed; these are in "
                            + plan.folder().folder());
        }
        return endpoint.get();
    }

    private static ExtractionResult views(ExtractionPlan plan)
            throws IOException, InterruptedException {
        List<ExtractionResult> views = new ArrayList<>();
        for (int view = 0; view <= plan.views(); view++) {
            views.add(read(plan.view(view)));
        }
        return ExtractionResult.joined(views);
    }

    /**
     * The largest number of images of a request. Large images are read a few at a time.
     *
     * @param given the number without this limit
     * @param imageBytes average size of a stored image
     */
    static int perRequest(int given, double imageBytes, long heap) {
        double most = heap / REQUESTS_IN_HEAP / imageBytes;
        return (int) Math.max(1, Math.min(given, most));
    }

    private static ExtractionResult read(ExtractionPlan plan)
            throws IOException, InterruptedException {
        long heap = Runtime.getRuntime().maxMemory();
        List<FeatureRequest> requests =
                FeatureRequest.all(
                        plan.folder(), perRequest(plan.perRequest(), plan.imageBytes(), heap));
        Cut start = plan.network().start();
        Extraction all = plan.extraction(start);
        Section rest = plan.rest(start);
        // Loads the file system's plugin first, which takes seconds and must not be measured.
        plan.folder().folder().getFileSystem();
        long begun = System.nanoTime();
        long bytes = 0;
        try (Extractor reader = new Extractor(all, new float[0]);
                FeatureCollector collector =
                        new FeatureCollector(
                                all, rest, rest.parameters(plan.parameters()), requests.size())) {
            for (FeatureRequest request : requests) {
                FeatureBatch batch = reader.answer(request, request.images());
                bytes += batch.payload().length;
                collector.accept(batch);
            }
            return new ExtractionResult(
                    List.of(start),
                    collector.finish(),
                    (System.nanoTime() - begun) / 1e9,
                    bytes,
                    0,
                    LinkRate.UNKNOWN,
                    0);
        }
    }
}
