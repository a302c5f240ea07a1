package dev.levee.gar.attacks;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.Span;
import dev.levee.gar.internal.Backend;
import dev.levee.gar.internal.CpuBackend;
import dev.levee.gar.internal.Provider;

/** Distances and norms of the honest rows, rounded as rules see them. */
final class MeasuredRows {
    /** Factor for a value that must stay just below a bound in spite of rounding. */
    static final double JUST_BELOW = 1 - 0x1p-10;

    private static final CpuBackend BACKEND = new CpuBackend(Provider.KERNELS);

    private final LookResult looked;
    private final int rows;

    private MeasuredRows(HonestRows honest, Look look) {
        rows = honest.count();
        RowMap all = RowMap.identity(rows, rows);
        Span span = new Span(0, honest.length(), 0, 0);
        try (Backend.Work work = BACKEND.on(honest.rows(), null)) {
            looked = work.look(look, all, span);
        }
    }

    /** The distances between the rows. */
    static MeasuredRows ofDistances(HonestRows honest) {
        return new MeasuredRows(honest, Look.DISTANCES);
    }

    /** The norms of the rows, squared. */
    static double[] squaredNorms(HonestRows honest) {
        MeasuredRows measured = new MeasuredRows(honest, Look.NORMS);
        double[] squares = new double[measured.rows];
        for (int i = 0; i < squares.length; i++) {
            squares[i] = measured.squaredDistance(i, measured.rows);
        }
        return squares;
    }

    /** ‖h_i − h_j‖². */
    double squaredDistance(int i, int j) {
        return looked.squaredDistance(i, j);
    }

    /** max_ij ‖h_i − h_j‖². */
    double farthest() {
        double farthest = 0;
        for (double distance : looked.squaredDistances()) {
            farthest = Math.max(farthest, distance);
        }
        return farthest;
    }

    /** Σ_j ‖h_i − h_j‖² of each row. */
    double[] sums() {
        double[] sums = new double[rows];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < rows; j++) {
                sums[i] += squaredDistance(i, j);
            }
        }
        return sums;
    }
}
