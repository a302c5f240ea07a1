package dev.levee.learners.internal.djl.natives;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;

import java.util.Locale;
import java.util.function.Supplier;

/**
 * Memory that a step takes. What a forward pass leaves stays until the step is closed, so at its
 * end all of it is there to be counted.
 */
public final class WorkingSet {
    private int samples = -1;
    private long bytes;

    /** Counts a step's tensors, once for each batch size: the same shapes take the same memory. */
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

    /** Bytes of the last step measured, 0 before. */
    public long bytes() {
        return bytes;
    }

    /** Runs a step, and lets what the engine says when memory ends be the error that Java knows. */
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
