package dev.levee.learners.internal.djl;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.learners.internal.djl.natives.Autograd;
import dev.levee.learners.internal.djl.natives.Scratch;

import java.util.Arrays;

/**
 * Computes ReLU and max pooling over windows of 2 × 2 in one pass in Java, for training. PyTorch's
 * own pooling branches on each comparison, which takes a third of a small network's forward pass.
 * Values and gradients have the same bits as PyTorch's. If values in a window are equal, the first
 * of them gets the gradient.
 *
 * <p>The pass splits PyTorch's recording: one part ends with the input, and the next part begins
 * with the output.
 */
final class PooledRelu {
    private static final int SIZE = 2;

    /** Maximum number of values of an input, because they are copied to the heap. */
    private static final int MOST = 1 << 22;

    private static final int MAGNITUDE = 0x7fffffff;

    /**
     * Added to the bits of a magnitude, this carries into the sign bit for NaN, and for no other
     * value.
     */
    private static final int ABOVE_INFINITY = 0x007fffff;

    private final Scratch outputs;
    private final Scratch slopes;

    /** Bits of the input. */
    private int[] input = new int[0];

    private float[] output = new float[0];

    /**
     * Index of the input value of each output; the index after the input's end if the output is 0.
     */
    private int[] origin = new int[0];

    /** Gradient with respect to the input, with one extra place at the end. */
    private float[] slope = new float[1];

    PooledRelu(PtNDManager manager) {
        outputs = new Scratch(manager);
        slopes = new Scratch(manager);
    }

    /**
     * Applies ReLU and pooling.
     *
     * @param values input of shape (samples, channels, height, width)
     * @param step manager of the output
     * @return a leaf, valid until the next call; null if a value is NaN, or there are too many
     *     values
     */
    PtNDArray forward(PtNDArray values, PtNDManager step) {
        Shape shape = values.getShape();
        int height = (int) shape.get(2);
        int width = (int) shape.get(3);
        int count = Math.toIntExact(values.size());
        if (count > MOST) {
            return null;
        }
        if (input.length != count) {
            input = new int[count];
            slope = new float[count + 1];
        }
        values.toByteBuffer(true).asIntBuffer().get(input);
        if (hasNaN(input)) {
            return null;
        }
        int planes = count / (height * width);
        int made = planes * (height / SIZE) * (width / SIZE);
        if (output.length != made) {
            output = new float[made];
            origin = new int[made];
        }
        for (int plane = 0; plane < planes; plane++) {
            pool(plane, height, width);
        }
        Shape pooled = new Shape(shape.get(0), shape.get(1), height / SIZE, width / SIZE);
        return Autograd.leaf(outputs.tensor(step, output, pooled));
    }

    private static boolean hasNaN(int[] bits) {
        int signs = 0;
        for (int each : bits) {
            signs |= (each & MAGNITUDE) + ABOVE_INFINITY;
        }
        return signs < 0;
    }

    /**
     * Pools one channel of one sample. Compares bits as integers: positive floats have the order of
     * their bits, and the bits of other floats are negative or 0.
     */
    private void pool(int plane, int height, int width) {
        int nowhere = input.length;
        int at = plane * (height / SIZE) * (width / SIZE);
        for (int y = 0; y < height / SIZE; y++) {
            int row = (plane * height + SIZE * y) * width;
            for (int x = 0; x < width / SIZE; x++) {
                int place = row + SIZE * x;
                int most = 0;
                int from = nowhere;
                int value = input[place];
                from = value > most ? place : from;
                most = Math.max(most, value);
                value = input[place + 1];
                from = value > most ? place + 1 : from;
                most = Math.max(most, value);
                value = input[place + width];
                from = value > most ? place + width : from;
                most = Math.max(most, value);
                value = input[place + width + 1];
                from = value > most ? place + width + 1 : from;
                most = Math.max(most, value);
                output[at] = Float.intBitsToFloat(most);
                origin[at] = from;
                at++;
            }
        }
    }

    /**
     * Runs the backward pass of the recording that ends with the input.
     *
     * @param values the input of the last forward pass
     * @param pooled the output of that pass, whose gradient is known
     * @param step manager of the gradient
     */
    void backward(PtNDArray values, PtNDArray pooled, PtNDManager step) {
        Autograd.gradient(pooled).toByteBuffer(true).asFloatBuffer().get(output);
        Arrays.fill(slope, 0);
        for (int i = 0; i < origin.length; i++) {
            slope[origin[i]] = 0f + output[i]; // like a sum that begins with 0
        }
        Autograd.backward(values, slopes.tensor(step, slope, input.length, values.getShape()));
    }
}
