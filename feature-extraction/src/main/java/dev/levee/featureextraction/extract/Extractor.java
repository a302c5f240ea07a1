package dev.levee.featureextraction.extract;

import dev.levee.connectors.data.packed.PackedImage;
import dev.levee.connectors.data.packed.PackedObject;
import dev.levee.learners.layers.Forward;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Answers requests next to the store: it reads images, decodes them, and computes the layers before
 * the cut. It processes a given number of images at a time; an image's result does not depend on
 * that number. For use by one thread.
 */
public final class Extractor implements AutoCloseable {
    /** The length of an array that any virtual machine can create. */
    private static final int LONGEST = Integer.MAX_VALUE - 8;

    private final Extraction extraction;
    private final IntConsumer progress;
    private final Forward forward;
    private final int side;
    private final int inputLength;
    private final int outputLength;

    /** An extractor without a progress listener. */
    public Extractor(Extraction extraction, float[] parameters) {
        this(extraction, parameters, images -> {});
    }

    /**
     * @param parameters the flat vector of the layers before the cut
     * @param progress receives the number of images completed since the last call; 0 if one was
     *     only decoded
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    public Extractor(Extraction extraction, float[] parameters, IntConsumer progress) {
        this.extraction = extraction;
        this.progress = progress;
        int[] shape = extraction.network().shape();
        side = shape[1];
        inputLength = shape[0] * shape[1] * shape[2];
        outputLength = Math.toIntExact(extraction.network().bytes(extraction.cut()) / Float.BYTES);
        forward =
                extraction.unsplit()
                        ? null
                        : extraction.prefix().newForward(parameters, extraction.microBatch());
    }

    /**
     * Answers a request.
     *
     * @param batch maximum number of images to process at a time
     * @throws IOException if the object cannot be read or has been replaced; one sentence
     */
    public FeatureBatch answer(FeatureRequest request, int batch) throws IOException {
        long start = System.nanoTime();
        try (PackedObject object =
                PackedObject.open(
                        new Path(request.object()),
                        request.listed(),
                        extraction.network().classes())) {
            return new Pass(request, System.nanoTime() - start).run(object, batch);
        }
    }

    /**
     * The number of images to process at a time. Their pixels fit into an array. An incomplete
     * micro-batch takes as long as a complete one.
     */
    static int step(int batch, int microBatch, int inputLength) {
        int most = Math.min(batch, LONGEST / inputLength);
        return most < microBatch ? most : most - most % microBatch;
    }

    /** The state of one request. */
    private final class Pass {
        private final FeatureRequest request;
        private final List<Integer> labels = new ArrayList<>();
        private final List<byte[]> stored = new ArrayList<>();
        private final float[] features;
        private final List<String> bad = new ArrayList<>();
        private int filled;
        private long storeNanos;
        private long decodeNanos;
        private long computeNanos;

        Pass(FeatureRequest request, long openNanos) {
            this.request = request;
            storeNanos = openNanos;
            int length = extraction.unsplit() ? 0 : outputLength;
            features = new float[Math.multiplyExact(request.images(), length)];
        }

        FeatureBatch run(PackedObject object, int batch) throws IOException {
            int step = step(batch, extraction.microBatch(), inputLength);
            for (int from = request.from(); from < request.to(); from += step) {
                chunk(object, from, Math.min(request.to(), from + step));
            }
            return new FeatureBatch(
                    request.index(),
                    labels.stream().mapToInt(Integer::intValue).toArray(),
                    extraction.unsplit()
                            ? StoredImages.encode(stored)
                            : extraction.encoding().encode(features(), outputLength),
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
                    progress.accept(1);
                } else {
                    if (decode(image, inputs, count * inputLength)) {
                        labels.add(image.label());
                        count++;
                    }
                    progress.accept(0);
                }
            }
            long start = System.nanoTime();
            for (int at = 0; at < count; at += extraction.microBatch()) {
                int next = Math.min(count, at + extraction.microBatch());
                float[] outputs =
                        forward.outputs(
                                Arrays.copyOfRange(inputs, at * inputLength, next * inputLength),
                                next - at);
                System.arraycopy(outputs, 0, features, filled, outputs.length);
                filled += outputs.length;
                progress.accept(next - at);
            }
            computeNanos += System.nanoTime() - start;
        }

        private boolean decode(PackedImage image, float[] to, int offset) {
            long start = System.nanoTime();
            try {
                byte[] pixels = extraction.augmentation().decode(image.content(), side);
                extraction.scaling().scale(pixels, to, offset);
                return true;
            } catch (IOException e) {
                bad.add(request.object() + ", image " + image.name() + ": " + e.getMessage());
                return false;
            } finally {
                decodeNanos += System.nanoTime() - start;
            }
        }

        /** The features of the images that could be decoded. */
        private float[] features() {
            return filled == features.length ? features : Arrays.copyOf(features, filled);
        }
    }

    @Override
    public void close() {
        if (forward != null) {
            forward.close();
        }
    }
}
