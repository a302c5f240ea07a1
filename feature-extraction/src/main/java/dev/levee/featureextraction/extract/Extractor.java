package dev.levee.featureextraction.extract;

import dev.levee.connectors.data.Picture;
import dev.levee.connectors.data.packed.PackedImage;
import dev.levee.connectors.data.packed.PackedObject;
import dev.levee.featureextraction.batch.BatchRequest;
import dev.levee.featureextraction.batch.MemoryGate;
import dev.levee.learners.Forward;
import dev.levee.learners.LayeredNetwork;
import dev.levee.learners.Section;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Answers requests next to the store: reads images, decodes them, passes them through the layers
 * before the cut. As many at a time as the memory gate gives; what becomes of an image does not
 * depend on it. Used by one thread.
 */
public final class Extractor implements AutoCloseable {
    private final Extraction extraction;
    private final MemoryGate gate;
    private final Forward forward;
    private final int side;
    private final int inputLength;
    private final long imageBytes;

    /**
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    public Extractor(Extraction extraction, MemoryGate gate) {
        this.extraction = extraction;
        this.gate = gate;
        Section prefix = extraction.prefix();
        int[] shape = extraction.network().shape();
        side = shape[1];
        inputLength = shape[0] * shape[1] * shape[2];
        imageBytes = memory(extraction);
        forward =
                extraction.unsplit()
                        ? null
                        : prefix.newForward(extraction.parameters(), extraction.microBatch());
    }

    /**
     * Bytes of an image's input and features; what lies between is there for a micro-batch only.
     */
    private static long memory(Extraction extraction) {
        LayeredNetwork network = extraction.network();
        return network.bytes(network.start()) + network.bytes(extraction.cut());
    }

    /**
     * Bytes of the layers: their parameters, and the largest input and output of one of them for a
     * micro-batch.
     */
    private long modelBytes() {
        LayeredNetwork network = extraction.network();
        long largest = 0;
        for (int layer = 0; layer <= extraction.cut().layer(); layer++) {
            largest =
                    Math.max(
                            largest,
                            network.bytes(network.after(layer - 1))
                                    + network.bytes(network.after(layer)));
        }
        return (long) Float.BYTES * extraction.parameters().length
                + largest * extraction.microBatch();
    }

    /** Bytes of an answer, which is there as floats and encoded. */
    private long answerBytes(int count) {
        return 2L * count * extraction.network().bytes(extraction.cut());
    }

    /**
     * Answers a request.
     *
     * @throws IOException if the object cannot be read; one sentence
     * @throws IllegalStateException if the smallest batch does not fit into memory
     */
    public FeatureBatch answer(FeatureRequest request) throws IOException, InterruptedException {
        int count = request.to() - request.from();
        BatchRequest asked =
                new BatchRequest(
                        extraction.tenant()
                                + "/"
                                + request.index()
                                + "/"
                                + System.identityHashCode(this),
                        extraction.tenant(),
                        System.nanoTime(),
                        imageBytes,
                        (extraction.unsplit() ? 0 : modelBytes()) + answerBytes(count),
                        Math.min(count, extraction.mostImages()),
                        0);
        try (MemoryGate.Batch batch = gate.take(asked);
                PackedObject object = PackedObject.open(new Path(request.object()))) {
            return new Pass(request).run(object, batch.size());
        }
    }

    /** One request on its way. */
    private final class Pass {
        private final FeatureRequest request;
        private final List<Integer> labels = new ArrayList<>();
        private final List<byte[]> stored = new ArrayList<>();
        private final List<float[]> features = new ArrayList<>();
        private final List<String> bad = new ArrayList<>();
        private long storeNanos;
        private long decodeNanos;
        private long computeNanos;

        Pass(FeatureRequest request) {
            this.request = request;
        }

        FeatureBatch run(PackedObject object, int batch) throws IOException {
            int to = Math.min(request.to(), object.size());
            for (int from = request.from(); from < to; from += batch) {
                chunk(object, from, Math.min(to, from + batch));
            }
            return new FeatureBatch(
                    request.index(),
                    labels.stream().mapToInt(Integer::intValue).toArray(),
                    extraction.unsplit()
                            ? StoredImages.encode(stored)
                            : SparseFloats.encode(joined()),
                    bad,
                    storeNanos,
                    decodeNanos,
                    computeNanos);
        }

        private void chunk(PackedObject object, int from, int to) throws IOException {
            float[] inputs = new float[extraction.unsplit() ? 0 : (to - from) * inputLength];
            int count = 0;
            for (int i = from; i < to; i++) {
                long start = System.nanoTime();
                PackedImage image = object.read(i);
                storeNanos += System.nanoTime() - start;
                if (extraction.unsplit()) {
                    stored.add(image.content());
                    labels.add(image.label());
                } else if (decode(image, inputs, count * inputLength)) {
                    labels.add(image.label());
                    count++;
                }
            }
            if (count > 0) {
                long start = System.nanoTime();
                features.add(forward.outputs(Arrays.copyOf(inputs, count * inputLength), count));
                computeNanos += System.nanoTime() - start;
            }
        }

        private boolean decode(PackedImage image, float[] to, int offset) {
            long start = System.nanoTime();
            try {
                extraction.scaling().scale(Picture.decode(image.content(), side), to, offset);
                return true;
            } catch (IOException e) {
                bad.add(request.object() + ", image " + image.name() + ": " + e.getMessage());
                return false;
            } finally {
                decodeNanos += System.nanoTime() - start;
            }
        }

        private float[] joined() {
            float[] all = new float[features.stream().mapToInt(each -> each.length).sum()];
            int at = 0;
            for (float[] each : features) {
                System.arraycopy(each, 0, all, at, each.length);
                at += each.length;
            }
            return all;
        }
    }

    @Override
    public void close() {
        if (forward != null) {
            forward.close();
        }
    }
}
