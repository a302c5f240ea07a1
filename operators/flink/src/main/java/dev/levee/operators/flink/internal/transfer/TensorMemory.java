package dev.levee.operators.flink.internal.transfer;

import dev.levee.operators.rounds.participant.ComputeThreads;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Off-heap memory that stands for tensors; a thread other than the task's copies from and to it. It
 * is larger than the processor's caches, because a step computes between two transfers.
 */
final class TensorMemory implements AutoCloseable {
    private static final int COUNT = 16;

    private final FloatBuffer[] tensors = new FloatBuffer[COUNT];
    private final ExecutorService copying = ComputeThreads.one(TransferMeter.NAME);
    private int next;

    /** Creates memory for tensors with at most this many numbers. */
    TensorMemory(int most) {
        for (int i = 0; i < COUNT; i++) {
            tensors[i] =
                    ByteBuffer.allocateDirect(most * Float.BYTES)
                            .order(ByteOrder.nativeOrder())
                            .asFloatBuffer();
        }
    }

    /** Copies a tensor's numbers to the heap. */
    Future<float[]> read(int length) {
        return copying.submit(
                () -> {
                    float[] values = new float[length];
                    tensor().get(values);
                    return values;
                });
    }

    /** Copies numbers into a tensor. */
    Future<?> write(float[] values) {
        return copying.submit(() -> tensor().put(values));
    }

    private FloatBuffer tensor() {
        next = (next + 1) % COUNT;
        return tensors[next].clear();
    }

    @Override
    public void close() {
        copying.shutdownNow();
    }
}
