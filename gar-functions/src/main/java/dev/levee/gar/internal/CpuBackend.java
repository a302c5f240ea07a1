package dev.levee.gar.internal;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.BlockRows;
import dev.levee.gar.block.Blocks;
import dev.levee.gar.block.BufferRows;
import dev.levee.gar.block.Span;

import java.nio.FloatBuffer;
import java.util.List;

/** Does the coordinate work on this machine's processor. */
public final class CpuBackend implements Backend {
    /**
     * Coordinates that a thread reduces at a time, enough to outweigh the cost of scratch memory.
     */
    private static final int PIECE = 8 * Kernels.CHUNK;

    /** Each thread's array for a piece whose result goes to memory outside the heap. */
    private static final ThreadLocal<float[]> ROOM =
            ThreadLocal.withInitial(() -> new float[PIECE]);

    private final Measurer measurer;
    private final Reducer reducer;
    private final Threads threads;

    /** Creates a backend that works on the caller's thread. */
    public CpuBackend(Kernels kernels) {
        this(kernels, 1);
    }

    /**
     * Creates a backend that uses up to {@code threads} threads, including the caller's. The bits
     * do not depend on their number.
     */
    public CpuBackend(Kernels kernels, int threads) {
        this.threads = new Threads(threads);
        measurer = new Measurer(kernels);
        reducer = new Reducer(kernels);
    }

    @Override
    public Work on(float[][] rows, float[] previous) {
        return new Here(
                rows[0].length, previous, (map, references) -> RowReader.of(new BlockRows(rows)));
    }

    @Override
    public Work on(BufferRows rows, float[] previous) {
        return new Here(
                rows.length(),
                previous,
                (map, references) -> new BufferReader(rows, map, references));
    }

    /** Makes a reader of the rows of a map and its references, for one thread. */
    private interface Readers {
        RowReader of(RowMap map, List<Reference> references);
    }

    /** Reduces a range of coordinates. */
    private interface Piece {
        void reduce(int from, int to);
    }

    /** Work on rows of {@code length} coordinates. */
    private final class Here implements Work {
        private final int length;
        private final float[] previous;
        private final Readers readers;

        Here(int length, float[] previous, Readers readers) {
            this.length = length;
            this.previous = previous;
            this.readers = readers;
        }

        @Override
        public LookResult look(Look look, RowMap map, Span span) {
            LookResult[] shares = new LookResult[Math.max(1, Blocks.count(length))];
            threads.run(
                    shares.length,
                    block -> {
                        int from = block * Blocks.SIZE;
                        Span place = new Span(from, span.dimension(), span.seed(), span.round());
                        int size = Blocks.length(block, length);
                        RowReader rows = readers.of(map, look.references());
                        shares[block] = measurer.look(look, map, rows, previous, place, from, size);
                    });
            return LookResult.sum(shares);
        }

        @Override
        public void reduce(
                RowMap map, Reduction reduction, List<Reference> references, float[] out) {
            inPieces(
                    threads.single() ? Math.max(1, length) : PIECE,
                    (from, to) -> {
                        RowReader rows = readers.of(map, references);
                        reducer.reduce(
                                map, reduction, rows, previous, references, from, to, out, from);
                    });
        }

        @Override
        public void reduce(
                RowMap map, Reduction reduction, List<Reference> references, FloatBuffer out) {
            inPieces(
                    PIECE,
                    (from, to) -> {
                        RowReader rows = readers.of(map, references);
                        float[] room = ROOM.get();
                        reducer.reduce(
                                map, reduction, rows, previous, references, from, to, room, 0);
                        out.put(out.position() + from, room, 0, to - from);
                    });
        }

        private void inPieces(int size, Piece work) {
            threads.run(
                    Math.max(1, (length + size - 1) / size),
                    task -> work.reduce(task * size, Math.min(length, (task + 1) * size)));
        }

        @Override
        public void close() {}
    }
}
