package dev.levee.featureextraction.compute;

import dev.levee.connectors.data.Picture;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.StoredImages;
import dev.levee.learners.Forward;
import dev.levee.learners.Section;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Computes what the storage tier left to do up to the trained layers, on a thread of its own while
 * further answers cross the link.
 */
public final class FeatureCollector implements Consumer<FeatureBatch>, AutoCloseable {
    /** Answers that may wait for their computation; who brings more waits too. */
    private static final int MOST_WAITING = 4;

    private record Part(float[] values, int[] labels, List<String> bad, long nanos) {}

    private final Extraction extraction;
    private final Section rest;
    private final Forward forward;
    private final int side;
    private final FeatureBatch[] answers;
    private final List<Future<Part>> parts = new ArrayList<>();
    private final Semaphore room = new Semaphore(MOST_WAITING);
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread made = new Thread(task, "compute tier");
                        made.setDaemon(true);
                        return made;
                    });

    /**
     * @param rest what lies between the extraction's cut and the trained layers
     * @param parameters flat vector of it
     * @param requests how many answers there will be
     */
    public FeatureCollector(Extraction extraction, Section rest, float[] parameters, int requests) {
        this.extraction = extraction;
        this.rest = rest;
        forward = rest.newForward(parameters, extraction.microBatch());
        side = extraction.network().shape()[1];
        answers = new FeatureBatch[requests];
    }

    @Override
    public synchronized void accept(FeatureBatch batch) {
        answers[batch.index()] =
                new FeatureBatch(
                        batch.index(),
                        batch.labels(),
                        new byte[0],
                        batch.bad(),
                        batch.storeNanos(),
                        batch.decodeNanos(),
                        batch.computeNanos());
        while (parts.size() <= batch.index()) {
            parts.add(null);
        }
        room.acquireUninterruptibly();
        parts.set(batch.index(), thread.submit(() -> roomFor(batch)));
    }

    private Part roomFor(FeatureBatch batch) {
        try {
            return part(batch);
        } finally {
            room.release();
        }
    }

    private Part part(FeatureBatch batch) {
        long start = System.nanoTime();
        List<String> bad = new ArrayList<>(batch.bad());
        int[] labels = batch.labels();
        float[] inputs;
        if (extraction.unsplit()) {
            List<byte[]> images = StoredImages.decode(batch.payload());
            labels = new int[images.size()];
            int length = length(rest.input());
            inputs = new float[images.size() * length];
            int count = 0;
            for (int i = 0; i < images.size(); i++) {
                if (decode(images.get(i), inputs, count * length, batch.index(), bad)) {
                    labels[count++] = batch.labels()[i];
                }
            }
            labels = Arrays.copyOf(labels, count);
            inputs = Arrays.copyOf(inputs, count * length);
        } else {
            inputs =
                    extraction
                            .encoding()
                            .decode(batch.payload(), labels.length, length(rest.input()));
        }
        float[] values = labels.length == 0 ? inputs : forward.outputs(inputs, labels.length);
        return new Part(values, labels, bad, System.nanoTime() - start);
    }

    private boolean decode(byte[] image, float[] to, int offset, int request, List<String> bad) {
        try {
            extraction.scaling().scale(Picture.decode(image, side), to, offset);
            return true;
        } catch (IOException e) {
            bad.add("an image of request " + request + ": " + e.getMessage());
            return false;
        }
    }

    private static int length(int[] shape) {
        return Arrays.stream(shape).reduce(1, Math::multiplyExact);
    }

    /**
     * Waits for the last computation and puts all together.
     *
     * @throws IllegalStateException if an answer is missing or could not be used; one sentence
     */
    public Features finish() throws InterruptedException {
        int images = 0;
        List<Part> done = new ArrayList<>();
        for (int i = 0; i < answers.length; i++) {
            if (i >= parts.size() || parts.get(i) == null) {
                throw new IllegalStateException("the answer to request " + i + " never came");
            }
            try {
                done.add(parts.get(i).get());
            } catch (ExecutionException e) {
                throw new IllegalStateException(
                        "the answer to request "
                                + i
                                + " is of no use: "
                                + e.getCause().getMessage(),
                        e);
            }
            images += done.get(i).labels().length;
        }
        int length = length(rest.output());
        float[] values = new float[Math.multiplyExact(images, length)];
        int[] labels = new int[images];
        List<String> bad = new ArrayList<>();
        int at = 0;
        for (Part part : done) {
            System.arraycopy(part.values(), 0, values, at * length, part.values().length);
            System.arraycopy(part.labels(), 0, labels, at, part.labels().length);
            at += part.labels().length;
            bad.addAll(part.bad());
        }
        return new Features(
                values,
                labels,
                rest.output(),
                bad,
                done.stream().mapToLong(Part::nanos).sum(),
                Arrays.stream(answers).mapToLong(FeatureBatch::storeNanos).sum(),
                Arrays.stream(answers).mapToLong(FeatureBatch::decodeNanos).sum(),
                Arrays.stream(answers).mapToLong(FeatureBatch::computeNanos).sum());
    }

    @Override
    public void close() {
        thread.shutdownNow();
        forward.close();
    }
}
