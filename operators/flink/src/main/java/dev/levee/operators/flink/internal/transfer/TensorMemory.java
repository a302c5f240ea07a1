package dev.levee.operators.flink.internal.transfer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Memory outside the heap in the place of tensors. There are more than caches hold, because a step
 * computes between two transfers.
 */
final class TensorMemory {
    private static final int COUNT = 16;

    private final FloatBuffer[] tensors = new FloatBuffer[COUNT];
    private int next;

    /** Memory of tensors of at most so many numbers. */
    TensorMemory(int most) {
        for (int i = 0; i < COUNT; i++) {
            tensors[i] =
                    ByteBuffer.allocateDirect(most * Float.BYTES)
                            .order(ByteOrder.nativeOrder())
                            .asFloatBuffer();
        }
    }

    /** Copies the numbers of a tensor to the heap. */
    float[] read(int length) {
        float[] values = new float[length];
        tensor().get(values);
        return values;
    }

    /** Copies numbers into a tensor. */
    void write(float[] values) {
        tensor().put(values);
    }

    private FloatBuffer tensor() {
        next = (next + 1) % COUNT;
        return tensors[next].clear();
    }
}
