package dev.levee.featureextraction.split;

import dev.levee.connectors.data.Picture;
import dev.levee.learners.layers.Forward;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.Section;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Measures what a thread of this machine takes for an image. */
public final class Profiler {
    private static final long SEED = 1;

    private Profiler() {}

    /**
     * Times of a network, for want of stored images on a JPEG of twice its height and width.
     *
     * @param microBatch images of a pass
     * @param passes how many count
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    public static ComputeTimes measure(LayeredNetwork network, int microBatch, int passes) {
        int[] shape = network.shape();
        byte[] photo = photo(shape[1], shape[2], new Random(SEED));
        return measure(network, microBatch, Collections.nCopies(passes, photo));
    }

    /**
     * Times of a network: of each step the median over some passes, after one that is not counted.
     * Weights do not matter for them, so these are the initial ones.
     *
     * @param microBatch images of a pass
     * @param photos stored images, one for each pass that counts
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
     * Times of a network whose samples need not be images; nothing is decoded.
     *
     * @param microBatch samples of a pass
     * @param passes how many count
     * @throws IllegalStateException if PyTorch cannot be loaded
     */
    public static ComputeTimes layers(LayeredNetwork network, int microBatch, int passes) {
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

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** A JPEG of twice the network's height and width, smooth with some noise. */
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

    /** Seconds to decode and scale it. */
    private static double decode(byte[] photo, int side) {
        long start = System.nanoTime();
        try {
            Picture.decode(photo, side);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return (System.nanoTime() - start) / 1e9;
    }
}
