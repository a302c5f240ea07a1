package dev.levee.featureextraction.split;

import dev.levee.connectors.data.Picture;
import dev.levee.learners.layers.Forward;
import dev.levee.learners.layers.LayerSummary;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.Section;
import dev.levee.learners.layers.ThreadTime;
import dev.levee.learners.layers.TrainingTimer;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Measures the processor time of an image on one thread of this machine. Other programs therefore
 * affect the result only if they slow the thread down while it runs.
 */
public final class Profiler {
    private static final long SEED = 1;

    /**
     * Minimum number of warm-up passes of a training step, in which kernels are chosen and code is
     * compiled.
     */
    private static final int WARM_UP = 2;

    private static final long WARM_UP_NANOS = 1_000_000_000L;

    /** Minimum number of measured passes of a training step. */
    private static final int FEWEST = 5;

    private static final long ENOUGH_NANOS = 2_000_000_000L;

    /** Maximum bytes of activations in a pass. */
    private static final long LARGEST = 1L << 29;

    private Profiler() {}

    /**
     * Measures a network with generated JPEGs of twice its height and width, if there are no stored
     * images.
     *
     * @param microBatch images per pass
     * @param passes number of measured passes
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    public static ComputeTimes measure(LayeredNetwork network, int microBatch, int passes) {
        return measure(network, microBatch, examples(network, passes));
    }

    /**
     * Generates JPEGs of twice a network's height and width, to be used if there are no stored
     * images.
     */
    public static List<byte[]> examples(LayeredNetwork network, int count) {
        int[] shape = network.shape();
        return Collections.nCopies(count, photo(shape[1], shape[2], new Random(SEED)));
    }

    /**
     * Measures the times while several threads do the same work. These threads share caches and
     * memory and, on many machines, the units of a core.
     *
     * @param threads number of threads
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    public static ComputeTimes measure(
            LayeredNetwork network, int microBatch, List<byte[]> photos, int threads) {
        List<CompletableFuture<ComputeTimes>> running = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (int thread = 0; thread < threads; thread++) {
                running.add(
                        CompletableFuture.supplyAsync(
                                () -> measure(network, microBatch, photos), pool));
            }
            List<ComputeTimes> times = running.stream().map(CompletableFuture::join).toList();
            double[] steps = new double[network.end().steps()];
            Arrays.setAll(steps, step -> mean(times, each -> each.steps()[step]));
            return new ComputeTimes(mean(times, ComputeTimes::decode), steps);
        } finally {
            pool.shutdownNow();
        }
    }

    private static double mean(List<ComputeTimes> times, ToDoubleFunction<ComputeTimes> of) {
        return times.stream().mapToDouble(of).average().orElseThrow();
    }

    /**
     * Measures a network: for each step, the median over several passes, after a warm-up pass.
     * Times do not depend on the weights, so the initial weights are used.
     *
     * @param microBatch images per pass
     * @param photos stored images, one for each measured pass
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    public static ComputeTimes measure(
            LayeredNetwork network, int microBatch, List<byte[]> photos) {
        int side = network.shape()[1];
        double[] decodes = new double[photos.size()];
        decode(photos.get(0), side);
        for (int pass = 0; pass < decodes.length; pass++) {
            decodes[pass] = decode(photos.get(pass), side);
        }
        return new ComputeTimes(
                median(Arrays.stream(decodes)), layers(network, microBatch, photos.size()).steps());
    }

    /**
     * Measures a network whose samples need not be images; nothing is decoded.
     *
     * @param microBatch samples per pass
     * @param passes number of measured passes
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    private static ComputeTimes layers(LayeredNetwork network, int microBatch, int passes) {
        Section all = network.section(network.start(), network.end());
        float[] samples =
                new float[microBatch * IntStream.of(network.shape()).reduce(1, (a, b) -> a * b)];
        Random random = new Random(SEED);
        for (int i = 0; i < samples.length; i++) {
            samples[i] = random.nextFloat();
        }
        double[][] seconds = new double[passes][];
        float[] parameters = all.parameters(network.initialParameters(SEED));
        try (Forward forward = all.newForward(parameters, microBatch)) {
            forward.outputs(samples, microBatch);
            for (int pass = 0; pass < passes; pass++) {
                forward.outputs(samples, microBatch);
                seconds[pass] = forward.seconds();
            }
        }
        double[] steps = new double[seconds[0].length];
        for (int step = 0; step < steps.length; step++) {
            int which = step;
            steps[step] =
                    median(Arrays.stream(seconds).mapToDouble(pass -> pass[which])) / microBatch;
        }
        return new ComputeTimes(0, steps);
    }

    /**
     * Measures a network's training step: for each step of the network, the median over several
     * passes, after warm-up passes. The number of samples is reduced until their activations fit
     * into {@value #LARGEST} bytes.
     *
     * @param microBatch samples per pass; kernels take less time per sample with more samples
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    public static TrainingTimes training(LayeredNetwork network, int microBatch) {
        int samples = (int) Math.max(1, Math.min(microBatch, LARGEST / activations(network)));
        List<TrainingTimer.Seconds> passes;
        try (TrainingTimer timer =
                network.section(network.start(), network.end()).newTimer(samples)) {
            passes(timer, WARM_UP, WARM_UP_NANOS);
            passes = passes(timer, FEWEST, ENOUGH_NANOS);
        }
        return new TrainingTimes(
                medians(passes, TrainingTimer.Seconds::forward, samples),
                medians(passes, TrainingTimer.Seconds::backward, samples));
    }

    /** Runs at least {@code fewest} passes, and continues until the time is over. */
    private static List<TrainingTimer.Seconds> passes(TrainingTimer timer, int fewest, long nanos) {
        List<TrainingTimer.Seconds> passes = new ArrayList<>();
        long start = System.nanoTime();
        while (passes.size() < fewest || System.nanoTime() - start < nanos) {
            passes.add(timer.pass());
        }
        return passes;
    }

    private static long activations(LayeredNetwork network) {
        long bytes = network.bytes(network.start());
        for (LayerSummary layer : network.layers()) {
            bytes += layer.bytes() + network.innerBytes(layer.index());
        }
        return bytes;
    }

    private static double[] medians(
            List<TrainingTimer.Seconds> passes,
            Function<TrainingTimer.Seconds, double[]> direction,
            int samples) {
        double[] steps = new double[direction.apply(passes.get(0)).length];
        Arrays.setAll(
                steps,
                step ->
                        median(passes.stream().mapToDouble(pass -> direction.apply(pass)[step]))
                                / samples);
        return steps;
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /**
     * Generates a JPEG of twice the network's height and width: a smooth picture with some noise.
     */
    private static byte[] photo(int height, int width, Random random) {
        BufferedImage image = new BufferedImage(2 * width, 2 * height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int red = 255 * x / image.getWidth();
                int green = 255 * y / image.getHeight();
                image.setRGB(x, y, red << 16 | green << 8 | random.nextInt(64));
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "jpeg", new MemoryCacheImageOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Seconds to decode and scale a picture. */
    private static double decode(byte[] photo, int side) {
        ThreadTime start = ThreadTime.start();
        try {
            Picture.decode(photo, side);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return start.seconds();
    }
}
