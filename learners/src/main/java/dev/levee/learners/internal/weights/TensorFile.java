package dev.levee.learners.internal.weights;

import java.io.Closeable;
import java.io.IOException;
import java.util.Set;

/** A file of named tensors. */
public interface TensorFile extends Closeable {
    /** Names in the file's order. */
    Set<String> names();

    /**
     * Extents of a tensor.
     *
     * @throws IllegalArgumentException if the file's header is damaged; half a sentence
     */
    long[] shape(String name) throws IOException;

    /**
     * Copies a tensor's values, row-major, as float32.
     *
     * @throws IllegalArgumentException if the values are not numbers, or do not fit into the array;
     *     half a sentence
     */
    void read(String name, float[] to, int offset) throws IOException;
}
