package dev.levee.featureextraction.compute;

import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.StoredImages;
import dev.levee.learners.layers.Forward;
import dev.levee.learners.layers.Section;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Computes the layers between the storage tier's layers and the trained ones, on its own thread,
 * while further answers cross the link.
 */
public final class FeatureCollector implements Consumer<FeatureBatch>, AutoCloseable {
    /**
     * Maximum number of answers that wait for their computation. The caller blocks beyond this
     * number.
     */
    private static final int MOST_WAITING = 4;

    private record Part(float[] values, int[] labels, List<String> bad, long nanos) {}

    /** The layers that remain to be computed for answers of one cut. */
    private record Stage(Extraction extraction, Section rest, Forward forward) {}

    private final int side;
    private final int[] shape;
    private final FeatureBatch[] answers;
    private final List<Stage> stages = new ArrayList<>();
    private final List<Future<Part>> parts = new ArrayList<>();
    private final Semaphore room = new Semaphore(MOST_WAITING);
    private final AtomicReference<IllegalStateException> failure = new AtomicReference<>();
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread made = new Thread(task, "compute tier");
                        made.setDaemon(true);
                        return made;
                    });

    /**
     * @param rest the layers between the extraction's cut and the trained layers
     * @param parameters flat vector of the parameters of {@code rest}
     * @param requests number of answers to expect
     */
    public FeatureCollector(Extraction extraction, Section rest, float[] parameters, int requests) {
        side = extraction.network().shape()[1];
        shape = rest.output();
        answers = new FeatureBatch[requests];
        cut(extraction, rest, parameters);
    }

    /**
     * Switches to another cut for all further answers. The results are the same.
     *
     * @param rest the layers between this cut and the trained layers
     * @param parameters flat vector of the parameters of {@code rest}
     */
    public synchronized void cut(Extraction extraction, Section rest, float[] parameters) {
        Forward forward = rest.newForward(parameters, extraction.microBatch());
        stages.add(new Stage(extraction, rest, forward));
    }

    /**
     * Takes an answer.
     *
     * @throws IllegalStateException if an earlier answer could not be used; one sentence
     */
    @Override
    public synchronized void accept(FeatureBatch batch) {
        check();
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
        Stage stage = stages.get(stages.size() - 1);
        parts.set(batch.index(), thread.submit(() -> roomFor(batch, stage)));
    }

    private Part roomFor(FeatureBatch batch, Stage stage) {
        try {
            return part(batch, stage);
        } catch (RuntimeException | OutOfMemoryError e) {
            failure.compareAndSet(
                    null,
                    new IllegalStateException(
                            "the answer to request %d is unusable: %s"
                                    .formatted(batch.index(), e.getMessage()),
                            e));
            throw e;
        } finally {
            room.release();
        }
    }

    private void check() {
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    private Part part(FeatureBatch batch, Stage stage) {
        long start = System.nanoTime();
        if (stage.extraction().unsplit()) {
            return decoded(batch, stage, start);
        }
        int[] labels = batch.labels();
        float[] inputs =
                stage.extraction()
                        .encoding()
                        .decode(batch.payload(), labels.length, length(stage.rest().input()));
        float[] values =
                labels.length == 0 ? inputs : stage.forward().outputs(inputs, labels.length);
        return new Part(values, labels, batch.bad(), System.nanoTime() - start);
    }

    /** Decodes stored images and computes all layers, a micro-batch at a time. */
    private Part decoded(FeatureBatch batch, Stage stage, long start) {
        List<String> bad = new ArrayList<>(batch.bad());
        List<byte[]> images = StoredImages.decode(batch.payload());
        int length = length(stage.rest().input());
        int outputLength = length(shape);
        int step = Math.min(stage.extraction().microBatch(), images.size());
        float[] inputs = new float[Math.multiplyExact(step, length)];
        float[] values = new float[Math.multiplyExact(images.size(), outputLength)];
        int[] labels = new int[images.size()];
        int count = 0;
        for (int from = 0; from < images.size(); from += step) {
            int filled = 0;
            for (int i = from; i < Math.min(images.size(), from + step); i++) {
                if (decode(stage, images.get(i), inputs, filled * length, batch.index(), bad)) {
                    labels[count + filled++] = batch.labels()[i];
                }
            }
            if (filled > 0) {
                float[] outputs =
                        stage.forward().outputs(Arrays.copyOf(inputs, filled * length), filled);
                System.arraycopy(outputs, 0, values, count * outputLength, outputs.length);
                count += filled;
            }
        }
        return new Part(
                Arrays.copyOf(values, count * outputLength),
                Arrays.copyOf(labels, count),
                bad,
                System.nanoTime() - start);
    }

    private boolean decode(
            Stage stage, byte[] image, float[] to, int offset, int request, List<String> bad) {
        try {
            byte[] pixels = stage.extraction().augmentation().decode(image, side);
            stage.extraction().scaling().scale(pixels, to, offset);
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
     * Waits for the last computation and joins all results.
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
                check();
                throw new IllegalStateException(e);
            }
            images = Math.addExact(images, done.get(i).labels().length);
        }
        int[] labels = new int[images];
        List<String> bad = new ArrayList<>();
        int at = 0;
        for (Part part : done) {
            System.arraycopy(part.labels(), 0, labels, at, part.labels().length);
            at += part.labels().length;
            bad.addAll(part.bad());
        }
        return new Features(
                done.stream().map(Part::values).toList(),
                labels,
                shape,
                bad,
                done.stream().mapToLong(Part::nanos).sum(),
                Arrays.stream(answers).mapToLong(FeatureBatch::storeNanos).sum(),
                Arrays.stream(answers).mapToLong(FeatureBatch::decodeNanos).sum(),
                Arrays.stream(answers).mapToLong(FeatureBatch::computeNanos).sum());
    }

    @Override
    public void close() {
        thread.shutdownNow();
        stages.forEach(stage -> stage.forward().close());
    }
}
