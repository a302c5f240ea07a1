package dev.levee.gar.internal;

import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.BlockRows;

import java.util.List;

/** Reduces mapped rows to one row, coordinate by coordinate. */
public final class Reducer {
    private final Kernels kernels;

    public Reducer(Kernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Reduces the coordinates {@code from} to {@code to} into the same coordinates of {@code out}.
     */
    public void reduce(
            RowMap map,
            Reduction reduction,
            BlockRows rows,
            float[] previous,
            List<Reference> references,
            int from,
            int to,
            float[] out) {
        reduce(map, reduction, RowReader.of(rows), previous, references, from, to, out, from);
    }

    /** Reduces these coordinates into {@code out} from the index {@code at}. */
    void reduce(
            RowMap map,
            Reduction reduction,
            RowReader rows,
            float[] previous,
            List<Reference> references,
            int from,
            int to,
            float[] out,
            int at) {
        if (reduction instanceof Reduction.Mean) {
            mean(map, rows, previous, references, from, to, out, at);
            return;
        }
        Points points = new Points(kernels, map, rows, previous, references, 0, to - from);
        OrderStatistics statistics = new OrderStatistics(kernels, map.outputs());
        for (int i = from; i < to; i += Kernels.CHUNK) {
            int length = Math.min(Kernels.CHUNK, to - i);
            points.moveTo(i, length);
            reduce(reduction, statistics, points.chunk(length), out, at + i - from);
        }
    }

    private static void reduce(
            Reduction reduction, OrderStatistics statistics, Rows x, float[] out, int at) {
        int rows = x.arrays().length;
        if (reduction instanceof Reduction.Median median) {
            statistics.median(median.lower(), x, out, at);
        } else if (reduction instanceof Reduction.TrimmedMean trimmed) {
            statistics.trimmedMean(trimmed.trim(), x, out, at);
        } else if (reduction instanceof Reduction.MeanAroundMedian around) {
            int low = (rows - 1) / 2;
            statistics.meanAround(low, rows / 2, around.keep(), x, out, at);
        } else if (reduction instanceof Reduction.MeanAroundLowerMedian around) {
            int low = (rows - 1) / 2;
            statistics.meanAround(low, low, around.keep(), x, out, at);
        } else if (reduction instanceof Reduction.MeanAroundTrimmedMean around) {
            int trim = around.trim();
            statistics.checkTrim(trim);
            statistics.meanAround(trim, rows - 1 - trim, around.keep(), x, out, at);
        } else {
            throw new IllegalArgumentException("unknown reduction " + reduction);
        }
    }

    private void mean(
            RowMap map,
            RowReader rows,
            float[] previous,
            List<Reference> references,
            int from,
            int to,
            float[] out,
            int at) {
        int only = map.outputs() == 1 ? map.selected(0) : -1;
        double[] weights = new double[map.points()];
        for (double[] output : map.weights()) {
            for (int i = 0; i < weights.length; i++) {
                weights[i] += output[i];
            }
        }
        int width = rows.width();
        Mixer mixer = new Mixer(kernels, rows, previous, references);
        mixer.check(map);
        int length;
        for (int i = from; i < to; i += length) {
            int start = at + i - from;
            length = Math.min(RowReader.WIDTH, to - i);
            if (rows.combine(kernels, weights, map.outputs(), i, length, out, start)) {
                continue;
            }
            length = Math.min(width, to - i);
            rows.read(i, length);
            if (only >= 0 && only < rows.count()) {
                System.arraycopy(rows.row(only), rows.start(only), out, start, length);
            } else {
                mixer.mix(weights, map.outputs(), i, length, out, start);
            }
        }
    }
}
