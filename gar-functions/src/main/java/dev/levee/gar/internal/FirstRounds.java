package dev.levee.gar.internal;

import dev.levee.gar.Look;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.gar.Span;

import java.util.Arrays;
import java.util.List;

/** Looks at made-up rows and reduces them, so that what calls the kernels is compiled, too. */
final class FirstRounds implements Runnable {
    private static final int ROWS = 11;
    private static final int LENGTH = Kernels.CHUNK + 100;
    private static final int CALLS = 600;

    private final Kernels kernels;

    FirstRounds(Kernels kernels) {
        this.kernels = kernels;
    }

    @Override
    public void run() {
        float[][] rows = new float[ROWS][LENGTH];
        for (int r = 0; r < ROWS; r++) {
            Arrays.fill(rows[r], r);
        }
        float[] out = new float[LENGTH];
        RowMap all = RowMap.identity(ROWS, ROWS);
        List<Reduction> reductions =
                List.of(
                        new Reduction.Mean(),
                        new Reduction.Median(false),
                        new Reduction.TrimmedMean(2));
        Backend.Work work = new CpuBackend(kernels).on(rows, null);
        for (int call = 0; call < CALLS; call++) {
            work.look(Look.DISTANCES, all, new Span(0, LENGTH, 1, call));
            for (Reduction reduction : reductions) {
                work.reduce(all, reduction, List.of(), out);
            }
        }
    }
}
