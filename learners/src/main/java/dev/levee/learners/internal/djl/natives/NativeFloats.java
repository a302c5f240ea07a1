package dev.levee.learners.internal.djl.natives;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Native memory that Java writes and tensors share. PyTorch allocates it, so it does not count
 * toward the JVM's direct memory, which Flink keeps small. It is freed when its manager is closed.
 */
final class NativeFloats {
    /**
     * Tensors start at multiples of this, because kernels may add in another order at other
     * positions.
     */
    static final int ALIGNMENT = 64 / Float.BYTES;

    private final ByteBuffer bytes;
    private final FloatBuffer floats;

    /** Allocates {@code length} floats, which are freed with {@code manager}. */
    public NativeFloats(PtNDManager manager, long length) {
        PtNDArray memory = manager.create(new Shape(length), DataType.FLOAT32);
        bytes = memory.toByteBuffer(true);
        floats = bytes.asFloatBuffer();
    }

    /** Next multiple of {@link #ALIGNMENT}. */
    public static long aligned(long offset) {
        return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    public long length() {
        return floats.capacity();
    }

    public void put(int at, float[] from, int offset, int length) {
        floats.put(at, from, offset, length);
    }

    public void get(int at, float[] to, int offset, int length) {
        floats.get(at, to, offset, length);
    }

    /** A tensor over this memory, not a copy; valid until {@code manager} closes. */
    public PtNDArray tensor(PtNDManager manager, int at, int length, Shape shape) {
        ByteBuffer part =
                bytes.slice(at * Float.BYTES, length * Float.BYTES).order(ByteOrder.nativeOrder());
        return JniUtils.createNdFromByteBuffer(
                manager, part, shape, DataType.FLOAT32, SparseFormat.DENSE, Device.cpu());
    }
}
