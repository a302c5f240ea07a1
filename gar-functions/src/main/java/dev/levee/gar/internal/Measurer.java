package dev.levee.gar.internal;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.BlockRows;
import dev.levee.gar.block.Span;

import java.util.List;

/**
 * Measures rows of one block against one another and against references. Every number is summed
 * chunk by chunk, in order. The result of a pair does not depend on the order of its two points.
 */
public final class Measurer {
    private final Kernels kernels;

    public Measurer(Kernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Measures the rows of a map. The map's last columns are the look's references.
     *
     * @param span position of the block in the vector
     * @param from first coordinate of the block in {@code rows}
     * @param length coordinates of the block
     */
    public LookResult look(
            Look look,
            RowMap map,
            BlockRows rows,
            float[] previous,
            Span span,
            int from,
            int length) {
        return look(look, map, RowReader.of(rows), previous, span, from, length);
    }

    LookResult look(
            Look look,
            RowMap map,
            RowReader rows,
            float[] previous,
            Span span,
            int from,
            int length) {
        int outputs = map.outputs();
        int points = look.points(outputs);
        double[] distances = new double[look.distances() ? LookResult.pairs(points) : 0];
        double[] products = new double[look.products() ? LookResult.pairs(points) : 0];
        double[] signs = new double[look.signs() ? 3 * outputs : 0];
        if (!look.nothing()) {
            List<Reference> references = look.references();
            int extra = references.size();
            Points all = new Points(kernels, map, rows, previous, references, extra, length);
            ChunkSums sums = new ChunkSums(kernels, all.count());
            OrderStatistics statistics =
                    look.incremental() ? null : new OrderStatistics(kernels, outputs);
            float[] median = new float[look.incremental() ? 0 : Kernels.CHUNK];
            Sampler sampler = Sampler.of(look, all, span);
            for (int i = from; i < from + length; i += Kernels.CHUNK) {
                int read = Math.min(Kernels.CHUNK, from + length - i);
                all.moveTo(i, read);
                if (statistics != null) {
                    statistics.median(false, all.chunk(read), median, 0);
                }
                for (int r = 0; r < references.size(); r++) {
                    switch (references.get(r)) {
                        case ORIGIN -> all.place(outputs + r, null, 0);
                        case PREVIOUS -> all.place(outputs + r, previous, i);
                        case MEDIAN -> all.place(outputs + r, median, 0);
                    }
                }
                int drawn = sampler.draw(i - from, read);
                sums.moveTo(all.chunk(sampler.whole(drawn)));
                if (look.signs()) {
                    countSigns(all.chunk(drawn), outputs, signs);
                }
                if (look.center() >= 0) {
                    sums.addCenter(look.center(), distances);
                    continue;
                }
                int tiled = look.pairs() ? outputs / Kernels.TILE_ROWS * Kernels.TILE_ROWS : 0;
                sums.addTiles(tiled, distances, products);
                for (int a = tiled; a < outputs; a++) {
                    int b = look.pairs() ? a + 1 : outputs;
                    if (b < points) {
                        int pair = LookResult.pair(a, b, points);
                        if (look.distances()) {
                            sums.addDistances(a, b, points - b, distances, pair);
                        }
                        if (look.products()) {
                            sums.addProducts(a, b, points - b, products, pair);
                        }
                    }
                }
            }
        }
        return new LookResult(points, distances, products, signs);
    }

    /** Measures a new row against the rows present, as {@code BlockKernels.measure} describes. */
    public double[] measure(
            Look look, float[] row, BlockRows present, float[] previous, Span span, int length) {
        if (!look.incremental()) {
            throw new IllegalArgumentException(
                    "rows can be measured as they arrive only against references known before, not "
                            + look.references());
        }
        List<Reference> references = look.references();
        int points = look.points(present.count());
        int[] measured = new int[points];
        int count = 0;
        for (int p = look.pairs() ? 0 : present.count(); p < points; p++) {
            if (p >= present.count() || present.arrays()[p] != null) {
                measured[count++] = p;
            }
        }
        double[] distances = new double[look.distances() ? count : 0];
        double[] products = new double[look.products() ? count : 0];
        double[] signs = new double[look.signs() ? 3 : 0];
        if (!look.nothing() && (count > 0 || look.signs())) {
            RowMap one = RowMap.identity(1, 1);
            RowReader alone = RowReader.of(new BlockRows(new float[][] {row}, present.from()));
            Points all = new Points(kernels, one, alone, previous, List.of(), count, length);
            ChunkSums sums = new ChunkSums(kernels, all.count());
            Sampler sampler = Sampler.of(look, all, span);
            for (int i = 0; i < length; i += Kernels.CHUNK) {
                int read = Math.min(Kernels.CHUNK, length - i);
                all.moveTo(i, read);
                for (int m = 0; m < count; m++) {
                    int p = measured[m];
                    boolean known = p < present.count();
                    if (known) {
                        all.place(1 + m, present.arrays()[p], present.from() + i);
                    } else {
                        all.place(1 + m, early(references, p - present.count(), previous), i);
                    }
                }
                int drawn = sampler.draw(i, read);
                sums.moveTo(all.chunk(sampler.whole(drawn)));
                if (look.signs()) {
                    countSigns(all.chunk(drawn), 1, signs);
                }
                if (look.distances() && count > 0) {
                    sums.addDistances(0, 1, count, distances, 0);
                }
                if (look.products() && count > 0) {
                    sums.addProducts(0, 1, count, products, 0);
                }
            }
        }
        int each = (look.distances() ? 1 : 0) + (look.products() ? 1 : 0);
        double[] result = new double[points * each + signs.length];
        System.arraycopy(signs, 0, result, points * each, signs.length);
        for (int m = 0; m < count; m++) {
            int at = measured[m] * each;
            if (look.distances()) {
                result[at++] = distances[m];
            }
            if (look.products()) {
                result[at] = products[m];
            }
        }
        return result;
    }

    /**
     * Adds, for each of the first {@code count} rows, its numbers of positive, zero and negative
     * values. A NaN is none of these.
     */
    private static void countSigns(Rows x, int count, double[] counts) {
        for (int r = 0; r < count; r++) {
            float[] row = x.arrays()[r];
            int start = x.starts()[r];
            int positive = 0;
            int zero = 0;
            int negative = 0;
            for (int i = start; i < start + x.length(); i++) {
                positive += row[i] > 0 ? 1 : 0;
                zero += row[i] == 0 ? 1 : 0;
                negative += row[i] < 0 ? 1 : 0;
            }
            counts[3 * r] += positive;
            counts[3 * r + 1] += zero;
            counts[3 * r + 2] += negative;
        }
    }

    private static float[] early(List<Reference> references, int index, float[] previous) {
        return references.get(index) == Reference.ORIGIN ? null : previous;
    }
}
