package dev.levee.gar.internal;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.BufferRows;
import dev.levee.gar.block.Span;

import java.nio.FloatBuffer;
import java.util.List;

/**
 * Does a rule's coordinate work over whole vectors on some device. All backends give the same bits.
 * Thread-safe.
 */
public interface Backend {
    /**
     * Begins work on rows. The rows must not change before the work is closed.
     *
     * @param previous the previous aggregate, null if zero or not needed
     */
    Work on(float[][] rows, float[] previous);

    /**
     * Begins work on rows outside the heap. This default implementation copies them to the heap.
     */
    default Work on(BufferRows rows, float[] previous) {
        return on(rows.toArrays(), previous);
    }

    /** One aggregation of some rows: looks at them, then a reduction. Called by one thread. */
    interface Work extends AutoCloseable {
        /**
         * Looks at mixed rows. The results of the blocks are added in block order.
         *
         * @param span the vector's first coordinate and the round
         */
        LookResult look(Look look, RowMap map, Span span);

        /** Reduces mixed rows to {@code out}. */
        void reduce(RowMap map, Reduction reduction, List<Reference> references, float[] out);

        /** Reduces mixed rows to memory outside the heap, from the buffer's position on. */
        default void reduce(
                RowMap map, Reduction reduction, List<Reference> references, FloatBuffer out) {
            float[] result = new float[out.remaining()];
            reduce(map, reduction, references, result);
            out.put(out.position(), result);
        }

        @Override
        void close();
    }
}
