package dev.levee.jobs.internal.weights;

import dev.levee.learners.Layout;
import dev.levee.learners.Segment;

import java.util.ArrayList;
import java.util.List;

/**
 * The float32 tensors of a file.
 *
 * @param layout trained tensors first, then buffers, otherwise in the file's order
 * @param values the values as a flat vector in this layout
 */
record Tensors(Layout layout, float[] values) {
    /**
     * A tensor of a file.
     *
     * @param name such as {@code 0.weight}
     * @param shape sizes of its dimensions
     */
    record Tensor(String name, long[] shape) {
        /** True for running statistics of a BatchNorm, which have these names in PyTorch. */
        private boolean buffer() {
            return name.endsWith("running_mean") || name.endsWith("running_var");
        }
    }

    /**
     * Computes the layout of a file's tensors in a model's flat vector.
     *
     * @throws IllegalArgumentException if there are no trained tensors, or too many values; one
     *     sentence
     */
    static Layout layout(List<Tensor> tensors) {
        if (tensors.stream().allMatch(Tensor::buffer)) {
            throw new IllegalArgumentException("it has no float32 array to train");
        }
        List<Segment> segments = new ArrayList<>();
        long offset = 0;
        for (boolean buffers : new boolean[] {false, true}) {
            for (Tensor tensor : tensors) {
                if (tensor.buffer() == buffers) {
                    segments.add(
                            new Segment(
                                    tensor.name(),
                                    tensor.shape(),
                                    Math.toIntExact(offset),
                                    !buffers));
                    offset += length(tensor.shape());
                    if (offset > Integer.MAX_VALUE) {
                        throw new IllegalArgumentException(
                                "it has more than %d values".formatted(Integer.MAX_VALUE));
                    }
                }
            }
        }
        return new Layout(segments);
    }

    private static long length(long[] shape) {
        try {
            long length = 1;
            for (long extent : shape) {
                length = Math.multiplyExact(length, extent);
            }
            return length;
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE / 2;
        }
    }

    /**
     * Checks, before anything is allocated, that values take at most half of the heap.
     *
     * @param bytes size of a file, or of the values that the file announces
     * @throws IllegalArgumentException if they take more; one sentence
     */
    static void checkMemory(long bytes) {
        long most = Math.min(Runtime.getRuntime().maxMemory() / 2, Integer.MAX_VALUE - 8);
        if (bytes > most) {
            throw new IllegalArgumentException(
                    "it takes %d MiB, more than the %d MiB that are allowed here: half of this JVM's heap (-Xmx), and at most 2 GiB"
                            .formatted(bytes >> 20, most >> 20));
        }
    }

    /** The error message for an array of another type. */
    static IllegalArgumentException otherType(String name, String type) {
        return new IllegalArgumentException(
                "array %s is of type %s: save it as float32".formatted(name, type));
    }
}
