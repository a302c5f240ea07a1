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

import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The coordinate work on rows outside the heap. Kernels work on arrays, so a range of coordinates
 * is copied to arrays that the next range uses again: a block for a look, since that is what sums
 * are formed over, and fewer coordinates for a reduction, so that they stay in the cache.
 */
final class BufferWork implements Backend.Work {
    /** Coordinates reduced at a time. */
    private static final int WIDTH = 4 * Kernels.CHUNK;

    private final BufferRows rows;
    private final float[] previous;
    private final Measurer measurer;
    private final Reducer reducer;
    private final Threads threads;
    private final Queue<float[][]> scratch = new ConcurrentLinkedQueue<>();

    BufferWork(
            BufferRows rows,
            float[] previous,
            Measurer measurer,
            Reducer reducer,
            Threads threads) {
        this.rows = rows;
        this.previous = previous;
        this.measurer = measurer;
        this.reducer = reducer;
        this.threads = threads;
    }

    @Override
    public Looked look(Look look, RowMap map, Span span) {
        int length = rows.length();
        Looked[] shares = new Looked[Math.max(1, Blocks.count(length))];
        boolean[] read = read(map, look.references());
        threads.run(
                shares.length,
                block -> {
                    int from = block * Blocks.SIZE;
                    int size = Blocks.length(block, length);
                    Span place = new Span(from, span.dimension(), span.seed(), span.round());
                    float[][] copy = copy(read, from, look.nothing() ? 0 : size);
                    shares[block] =
                            measurer.look(
                                    look,
                                    map,
                                    new BlockRows(copy),
                                    previous(from, size),
                                    place,
                                    0,
                                    size);
                    scratch.add(copy);
                });
        return Looked.sum(shares);
    }

    @Override
    public void reduce(RowMap map, Reduction reduction, List<Reference> references, float[] out) {
        boolean[] read = read(map, references);
        threads.run(
                Math.max(1, (out.length + WIDTH - 1) / WIDTH),
                task -> {
                    int from = task * WIDTH;
                    int size = Math.min(WIDTH, out.length - from);
                    float[][] copy = copy(read, from, size);
                    float[] result = new float[size];
                    reducer.reduce(
                            map,
                            reduction,
                            new BlockRows(copy),
                            previous(from, size),
                            references,
                            0,
                            size,
                            result);
                    System.arraycopy(result, 0, out, from, size);
                    scratch.add(copy);
                });
    }

    /** Which rows are read: those that the map uses, and all for the median of all. */
    private boolean[] read(RowMap map, List<Reference> references) {
        boolean[] read = new boolean[rows.count()];
        for (int row = 0; row < read.length; row++) {
            read[row] = map.uses(row) || references.contains(Reference.MEDIAN);
        }
        return read;
    }

    /** Some rows' coordinates from one on; the others' arrays hold anything. */
    private float[][] copy(boolean[] read, int from, int size) {
        float[][] copy = scratch.poll();
        if (copy == null || copy[0].length < size) {
            copy = new float[rows.count()][size];
        }
        for (int row = 0; row < read.length; row++) {
            if (read[row]) {
                rows.read(row, from, size, copy[row]);
            }
        }
        return copy;
    }

    private float[] previous(int from, int size) {
        return previous == null ? null : Arrays.copyOfRange(previous, from, from + size);
    }

    @Override
    public void close() {}
}
