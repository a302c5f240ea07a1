package dev.levee.learners.internal.djl.natives;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;

import java.util.Locale;
import java.util.function.Supplier;

/**
 * Measures the memory that a step takes. All tensors of a forward pass exist until the step is
 * closed, so they can be counted at its end.
 */
public final class WorkingSet {
    private int samples = -1;
    private long bytes;

    /**
     * Counts the bytes of a step's tensors. It counts again only if the batch size changes, because
     * the same shapes take the same memory.
     */
    public void measure(int batchSize, PtNDManager step, long besides) {
        if (batchSize == samples) {
            return;
        }
        long sum = besides;
        for (NDArray array : step.getManagedArrays()) {
            sum += array.size() * array.getDataType().getNumOfBytes();
        }
        samples = batchSize;
        bytes = sum;
    }

    /** Bytes of the last measured step, 0 if none was measured. */
    public long bytes() {
        return bytes;
    }

    /**
     * Runs a step. If the engine reports that memory ran out, throws Java's {@link
     * OutOfMemoryError}.
     */
    public static <T> T within(Supplier<T> step) {
        try {
            return step.get();
        } catch (EngineException e) {
            if (ranOut(e)) {
                OutOfMemoryError error = new OutOfMemoryError(firstLine(e));
                error.initCause(e);
                throw error;
            }
            throw e;
        }
    }

    private static boolean ranOut(EngineException e) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("out of memory") || message.contains("can't allocate memory");
    }

    private static String firstLine(EngineException e) {
        return e.getMessage().lines().findFirst().orElse("no memory left");
    }
}
