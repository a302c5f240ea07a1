package dev.levee.featureextraction.compute;

import dev.levee.learners.Layout;
import dev.levee.learners.ModelFile;
import dev.levee.learners.Segment;

import java.nio.file.Path;
import java.util.List;

/**
 * What the frozen layers make of a data set, in the order of its objects.
 *
 * @param values features of all images, one after the other
 * @param labels class of each
 * @param shape of the features of one image
 * @param bad images that could not be decoded, a sentence each
 * @param clientNanos nanoseconds of the compute tier's decoding and layers
 * @param storeNanos nanoseconds of the storage tier's reading
 * @param decodeNanos nanoseconds of its decoding
 * @param computeNanos nanoseconds of its layers
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
    /** Writes them as {@code x_train} and {@code y_train} of an npz file. */
    public void write(Path file) {
        long[] extents = new long[1 + shape.length];
        extents[0] = labels.length;
        for (int i = 0; i < shape.length; i++) {
            extents[i + 1] = shape[i];
        }
        float[] all = new float[values.length + labels.length];
        System.arraycopy(values, 0, all, 0, values.length);
        for (int i = 0; i < labels.length; i++) {
            all[values.length + i] = labels[i];
        }
        Segment x = new Segment("x_train", extents, 0, true);
        Segment y = new Segment("y_train", new long[] {labels.length}, x.length(), true);
        ModelFile.write(file, new Layout(List.of(x, y)), all);
    }
}
