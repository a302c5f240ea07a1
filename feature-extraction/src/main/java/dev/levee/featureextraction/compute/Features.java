package dev.levee.featureextraction.compute;

import dev.levee.learners.ModelFile;

import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The outputs of the frozen layers for a data set, in the order of its objects.
 *
 * @param values features of all images, one after the other, in arrays of whole images
 * @param labels class of each image
 * @param shape the shape of the features of one image
 * @param bad a sentence for each image that could not be decoded
 * @param clientNanos nanoseconds that the compute tier spent on decoding and layers
 * @param storeNanos nanoseconds that the storage tier spent on reading
 * @param decodeNanos nanoseconds that the storage tier spent on decoding
 * @param computeNanos nanoseconds that the storage tier spent on layers
 */
public record Features(
        List<float[]> values,
        int[] labels,
        int[] shape,
        List<String> bad,
        long clientNanos,
        long storeNanos,
        long decodeNanos,
        long computeNanos) {
    /** Joins the features of several views of the same images. */
    public static Features joined(List<Features> views) {
        List<String> bad = new ArrayList<>();
        int images = 0;
        for (Features view : views) {
            if (!Arrays.equals(view.labels, views.get(0).labels)) {
                throw new IllegalStateException(
                        "an image can be decoded for one view but not for another");
            }
            images = Math.addExact(images, view.labels.length);
        }
        List<float[]> values = new ArrayList<>();
        int[] labels = new int[images];
        int at = 0;
        for (Features view : views) {
            values.addAll(view.values);
            System.arraycopy(view.labels, 0, labels, at, view.labels.length);
            at += view.labels.length;
        }
        bad.addAll(views.get(0).bad); // the same in all views
        return new Features(
                values,
                labels,
                views.get(0).shape,
                bad,
                sum(views, Features::clientNanos),
                sum(views, Features::storeNanos),
                sum(views, Features::decodeNanos),
                sum(views, Features::computeNanos));
    }

    private static long sum(List<Features> views, ToLongFunction<Features> of) {
        return views.stream().mapToLong(of).sum();
    }

    /** Writes the features as {@code x_train} and {@code y_train} of an npz file. */
    public void write(Path file) {
        int[] all = IntStream.range(0, labels.length).toArray();
        ModelFile.write(file, arrays("train", all).toList());
    }

    /**
     * Writes the features with a test split. The test split has the first view of a fifth of the
     * images, which are drawn by the seed. The training split has all other views of the other
     * images.
     *
     * @param views number of views of each image, at least 2; the views follow one another
     */
    public void write(Path file, int views, long seed) {
        int images = labels.length / views;
        List<Integer> order = new ArrayList<>(IntStream.range(0, images).boxed().toList());
        Collections.shuffle(order, new Random(seed));
        int held = Math.max(1, images / 5);
        int[] test = order.subList(0, held).stream().mapToInt(i -> i).sorted().toArray();
        int[] train =
                IntStream.range(1, views)
                        .flatMap(
                                view ->
                                        order.subList(held, images).stream()
                                                .mapToInt(i -> i)
                                                .sorted()
                                                .map(i -> view * images + i))
                        .toArray();
        ModelFile.write(file, Stream.concat(arrays("train", train), arrays("test", test)).toList());
    }

    /** The features and the labels of the images {@code which}. */
    private Stream<ModelFile.Array> arrays(String split, int[] which) {
        long[] extents = new long[1 + shape.length];
        extents[0] = which.length;
        for (int i = 0; i < shape.length; i++) {
            extents[i + 1] = shape[i];
        }
        int length = Arrays.stream(shape).reduce(1, Math::multiplyExact);
        TreeMap<Integer, float[]> parts = new TreeMap<>(); // by their first image
        int first = 0;
        for (float[] part : values) {
            parts.put(first, part);
            first += part.length / length;
        }
        float[] y = new float[which.length];
        for (int i = 0; i < y.length; i++) {
            y[i] = labels[which[i]];
        }
        return Stream.of(
                new ModelFile.Array(
                        "x_" + split,
                        extents,
                        () ->
                                Arrays.stream(which)
                                        .mapToObj(i -> image(parts, i, length))
                                        .iterator()),
                new ModelFile.Array(
                        "y_" + split, new long[] {which.length}, List.of(FloatBuffer.wrap(y))));
    }

    private static FloatBuffer image(TreeMap<Integer, float[]> parts, int image, int length) {
        Map.Entry<Integer, float[]> part = parts.floorEntry(image);
        return FloatBuffer.wrap(part.getValue(), (image - part.getKey()) * length, length);
    }
}
