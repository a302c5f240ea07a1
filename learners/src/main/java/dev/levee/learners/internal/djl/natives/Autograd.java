package dev.levee.learners.internal.djl.natives;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;

/**
 * Switches recording of operations on or off for the calling thread, until it is closed. DJL's own
 * gradient collector allows only one recording at a time in the whole JVM, although PyTorch keeps
 * the mode per thread. Therefore, this class calls the engine directly.
 */
public final class Autograd implements AutoCloseable {
    private final boolean before;

    private Autograd(boolean record) {
        before = JniUtils.isGradMode();
        JniUtils.setGradMode(record);
    }

    public static Autograd recording() {
        return new Autograd(true);
    }

    public static Autograd off() {
        return new Autograd(false);
    }

    /**
     * Marks a tensor whose gradient the next backward pass computes.
     *
     * @return {@code array} itself
     */
    public static PtNDArray leaf(PtNDArray array) {
        JniUtils.attachGradient(array, true);
        return array;
    }

    /** A tensor of the same values without their recording. It shares memory with {@code array}. */
    public static PtNDArray detached(PtNDArray array) {
        return JniUtils.detachGradient(array);
    }

    /**
     * Runs the backward pass from {@code output}, whose gradient is given, and discards the
     * recording.
     */
    public static void backward(PtNDArray output, PtNDArray gradient) {
        JniUtils.backward(output, gradient, false, false);
    }

    /**
     * The gradient of a leaf after a backward pass, null if the output does not depend on the leaf.
     */
    public static PtNDArray gradient(PtNDArray leaf) {
        return JniUtils.getGradient(leaf);
    }

    @Override
    public void close() {
        JniUtils.setGradMode(before);
    }
}
