package dev.levee.featureextraction.compute;

import dev.levee.learners.Layout;
import dev.levee.learners.ModelFile;
import dev.levee.learners.Segment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * The outputs of the frozen layers for a data set, in the order of its objects.
 *
 * @param values features of all images, one after the other
 * @param labels class of each image
 * @param shape the shape of the features of one image
 * @param bad a sentence for each image that could not be decoded
 * @param clientNanos nanoseconds that the compute tier spent on decoding and layers
 * @param storeNanos nanoseconds that the storage tier spent on reading
 * @param decodeNanos nanoseconds that the storage tier spent on decoding
 * @param computeNanos nanoseconds that the storage tier spent on layers
 */
public record Features(
        float[] values,
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
        int length = Arrays.stream(views.get(0).shape).reduce(1, Math::multiplyExact);
        float[] values = new float[Math.multiplyExact(images, length)];
        int[] labels = new int[images];
        int at = 0;
        for (Features view : views) {
            System.arraycopy(view.values, 0, values, at * length, view.values.length);
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
        List<Segment> segments = new ArrayList<>();
        float[] all = new float[values.length + labels.length];
        add(segments, all, "train", IntStream.range(0, labels.length).toArray());
        ModelFile.write(file, new Layout(segments), all);
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
        int length = Arrays.stream(shape).reduce(1, Math::multiplyExact);
        float[] all =
                new float[Math.multiplyExact(Math.addExact(test.length, train.length), length + 1)];
        List<Segment> segments = new ArrayList<>();
        add(segments, all, "train", train);
        add(segments, all, "test", test);
        ModelFile.write(file, new Layout(segments), all);
    }

    /** Appends the features and labels of the images {@code which} to {@code all}. */
    private void add(List<Segment> segments, float[] all, String split, int[] which) {
        int start = segments.stream().mapToInt(Segment::length).sum();
        long[] extents = new long[1 + shape.length];
        extents[0] = which.length;
        for (int i = 0; i < shape.length; i++) {
            extents[i + 1] = shape[i];
        }
        Segment x = new Segment("x_" + split, extents, start, true);
        Segment y = new Segment("y_" + split, new long[] {which.length}, start + x.length(), true);
        int length = Arrays.stream(shape).reduce(1, Math::multiplyExact);
        for (int i = 0; i < which.length; i++) {
            System.arraycopy(values, which[i] * length, all, start + i * length, length);
            all[start + x.length() + i] = labels[which[i]];
        }
        segments.add(x);
        segments.add(y);
    }
}
