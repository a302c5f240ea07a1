package dev.levee.learners.internal.djl.natives;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;

/**
 * Whether the calling thread records operations, restored on close. DJL's own gradient collector
 * allows one recording at a time in the whole JVM, although PyTorch keeps the mode for each thread;
 * so the engine is called directly, and here only.
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
     * A tensor whose gradient the next backward pass finds.
     *
     * @return {@code array} itself
     */
    public static PtNDArray leaf(PtNDArray array) {
        JniUtils.attachGradient(array, true);
        return array;
    }

    /** The same values without the recording that led to them; not a copy. */
    public static PtNDArray detached(PtNDArray array) {
        return JniUtils.detachGradient(array);
    }

    /** Runs backward from {@code output}, whose gradient is given, and forgets the recording. */
    public static void backward(PtNDArray output, PtNDArray gradient) {
        JniUtils.backward(output, gradient, false, false);
    }

    /** The gradient of a leaf after a backward pass, null if nothing depends on it. */
    public static PtNDArray gradient(PtNDArray leaf) {
        return JniUtils.getGradient(leaf);
    }

    @Override
    public void close() {
        JniUtils.setGradMode(before);
    }
}
