package dev.levee.gar.internal.gpu;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;

import java.util.Arrays;

/**
 * The pairs of points that a look measures.
 *
 * @param points the matrix row of each point
 * @param outputs number of points on the first side of a pair: the first ones
 * @param first the first point on the other side
 * @param rows two matrix rows per pair
 * @param places position of each pair's number in {@link LookResult}
 */
record PointPairs(int[] points, int outputs, int first, int[] rows, int[] places) {
    /** The pairs of a look at the outputs of a layout. */
    static PointPairs of(Look look, Layout layout, int medianRow) {
        int outputs = layout.outputs.length;
        int points = look.points(outputs);
        int[] row = Arrays.copyOf(layout.outputs, points);
        for (int r = 0; r < look.references().size(); r++) {
            row[outputs + r] =
                    switch (look.references().get(r)) {
                        case ORIGIN -> Layout.ZERO;
                        case PREVIOUS -> layout.previous;
                        case MEDIAN -> medianRow;
                    };
        }
        int[] rows = new int[2 * LookResult.pairs(points)];
        int[] places = new int[LookResult.pairs(points)];
        int count = 0;
        int first = look.pairs() ? 0 : outputs;
        for (int a = 0; a < outputs; a++) {
            for (int b = Math.max(first, a + 1); b < points; b++) {
                rows[2 * count] = row[a];
                rows[2 * count + 1] = row[b];
                places[count++] = LookResult.pair(a, b, points);
            }
        }
        return new PointPairs(
                row, outputs, first, Arrays.copyOf(rows, 2 * count), Arrays.copyOf(places, count));
    }

    int count() {
        return places.length;
    }

    /**
     * Squares of pairs with {@code side} points on each side, including those below the diagonal.
     */
    long squares(int side) {
        int across = (points.length - first + side - 1) / side;
        return (long) across * ((outputs + side - 1) / side);
    }

    /** Bytes that the arrays take on the device. */
    long room() {
        return Constants.room((long) points.length * Integer.BYTES)
                + Constants.room((long) rows.length * Integer.BYTES);
    }
}
