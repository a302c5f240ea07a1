package dev.levee.gar.internal;

import dev.levee.gar.BlockRows;
import dev.levee.gar.Blocks;
import dev.levee.gar.BufferRows;
import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Span;

import java.util.List;

/** The coordinate work on this machine's processor. */
public final class CpuBackend implements Backend {
    /** Chunks that a thread reduces at a time: enough to pay for its scratch memory. */
    private static final int CHUNKS = 8;

    private final Measurer measurer;
    private final Reducer reducer;
    private final Threads threads;

    /** Works on the caller's thread. */
    public CpuBackend(Kernels kernels) {
        this(kernels, 1);
    }

    /** Uses up to {@code threads} threads, including the caller's; all give the same bits. */
    public CpuBackend(Kernels kernels, int threads) {
        this.threads = new Threads(threads);
        measurer = new Measurer(kernels);
        reducer = new Reducer(kernels);
    }

    @Override
    public Work on(float[][] rows, float[] previous) {
        return new Here(rows, previous);
    }

    @Override
    public Work on(BufferRows rows, float[] previous) {
        return new BufferWork(rows, previous, measurer, reducer, threads);
    }

    private Looked look(Look look, RowMap map, float[][] rows, float[] previous, Span span) {
        int length = rows[0].length;
        Looked[] shares = new Looked[Math.max(1, Blocks.count(length))];
        threads.run(
                shares.length,
                block -> {
                    int from = block * Blocks.SIZE;
                    Span place = new Span(from, span.dimension(), span.seed(), span.round());
                    int size = Blocks.length(block, length);
                    shares[block] =
                            measurer.look(
                                    look, map, new BlockRows(rows), previous, place, from, size);
                });
        return Looked.sum(shares);
    }

    private void reduce(
            RowMap map,
            Reduction reduction,
            float[][] rows,
            float[] previous,
            List<Reference> references,
            float[] out) {
        BlockRows all = new BlockRows(rows);
        int size = threads.single() ? Math.max(1, out.length) : CHUNKS * Kernels.CHUNK;
        threads.run(
                Math.max(1, (out.length + size - 1) / size),
                task -> {
                    int from = task * size;
                    int to = Math.min(out.length, from + size);
                    reducer.reduce(map, reduction, all, previous, references, from, to, out);
                });
    }

    /** Work on rows in the heap, which need no copy. */
    private final class Here implements Work {
        private final float[][] rows;
        private final float[] previous;

        Here(float[][] rows, float[] previous) {
            this.rows = rows;
            this.previous = previous;
        }

        @Override
        public Looked look(Look look, RowMap map, Span span) {
            return CpuBackend.this.look(look, map, rows, previous, span);
        }

        @Override
        public void reduce(
                RowMap map, Reduction reduction, List<Reference> references, float[] out) {
            CpuBackend.this.reduce(map, reduction, rows, previous, references, out);
        }

        @Override
        public void close() {}
    }
}
