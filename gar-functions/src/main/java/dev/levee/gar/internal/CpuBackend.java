package dev.levee.gar.internal;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Blocks;
import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Span;

import java.util.List;

/** The coordinate work on this machine's processor. */
public final class CpuBackend implements Backend {
    private final Measurer measurer;
    private final Reducer reducer;

    public CpuBackend(Kernels kernels) {
        measurer = new Measurer(kernels);
        reducer = new Reducer(kernels);
    }

    @Override
    public Looked look(Look look, RowMap map, float[][] rows, float[] previous, Span span) {
        int length = rows[0].length;
        Looked[] shares = new Looked[Math.max(1, Blocks.count(length))];
        for (int block = 0; block < shares.length; block++) {
            int from = block * Blocks.SIZE;
            Span place = new Span(from, span.dimension(), span.seed(), span.round());
            int size = Blocks.length(block, length);
            shares[block] = measurer.look(look, map, rows, previous, place, from, size);
        }
        return BlockKernels.sum(shares);
    }

    @Override
    public void reduce(
            RowMap map,
            Reduction reduction,
            float[][] rows,
            float[] previous,
            List<Reference> references,
            float[] out) {
        reducer.reduce(map, reduction, rows, previous, references, 0, out.length, out, 0);
    }
}
