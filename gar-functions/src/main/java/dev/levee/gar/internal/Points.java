package dev.levee.gar.internal;

import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;

import java.util.List;

/**
 * Provides the output rows of a map, chunk by chunk. An unchanged row is read in place, and a row
 * without weights is the zero vector. A mixture is formed in double, rounded to float and kept for
 * the chunk. Further points may follow the map's outputs.
 */
final class Points {
    /** A chunk of the zero vector. Code that can skip zeros recognizes it by identity. */
    static final float[] ZEROS = new float[Kernels.CHUNK];

    private final Mixer mixer;
    private final RowMap map;
    private final RowReader rows;
    private final int[] selected;
    private final float[][] mixtures;
    private final DenseMixer dense;

    /** The current chunk of each point: its array, from the index in {@link #starts}. */
    private final float[][] arrays;

    private final int[] starts;

    /**
     * Creates the points of a map.
     *
     * @param mixable the references of the map's columns after {@code rows}
     * @param extra number of further points after the outputs
     * @param length total coordinates to read
     */
    Points(
            Kernels kernels,
            RowMap map,
            RowReader rows,
            float[] previous,
            List<Reference> mixable,
            int extra,
            int length) {
        this.map = map;
        this.rows = rows;
        int width = Math.min(length, Kernels.CHUNK);
        mixer = new Mixer(kernels, rows, previous, mixable);
        int outputs = map.outputs();
        selected = new int[outputs];
        mixtures = new float[outputs][];
        for (int o = 0; o < outputs; o++) {
            int row = map.selected(o);
            selected[o] = row < rows.count() ? row : -1;
            if (selected[o] < 0 && !empty(map.weights()[o], rows.count(), mixable)) {
                mixer.check(map);
                mixtures[o] = new float[width];
            }
        }
        dense = DenseMixer.of(kernels, mixer, map, mixtures);
        arrays = new float[outputs + extra][];
        starts = new int[outputs + extra];
    }

    /** Moves the map's outputs to the chunk of {@code length} coordinates from {@code from}. */
    void moveTo(int from, int length) {
        rows.read(from, length);
        boolean mixed = dense != null && dense.mix(from, length);
        for (int o = 0; o < selected.length; o++) {
            if (selected[o] >= 0) {
                place(o, rows.row(selected[o]), rows.start(selected[o]));
            } else if (mixtures[o] == null) {
                place(o, null, 0);
            } else {
                if (!mixed) {
                    mixer.mix(map.weights()[o], 1, from, length, mixtures[o], 0);
                }
                place(o, mixtures[o], 0);
            }
        }
    }

    /**
     * True if no point except the origin has a weight. Rules store numbers in the origin's weight.
     */
    private static boolean empty(double[] weights, int rows, List<Reference> references) {
        for (int i = 0; i < weights.length; i++) {
            int reference = i - rows;
            boolean origin =
                    reference >= 0
                            && reference < references.size()
                            && references.get(reference) == Reference.ORIGIN;
            if (weights[i] != 0 && !origin) {
                return false;
            }
        }
        return true;
    }

    /** Number of points. */
    int count() {
        return arrays.length;
    }

    /**
     * The first {@code length} coordinates of all points' current chunk. The result follows later
     * moves.
     */
    Rows chunk(int length) {
        return new Rows(arrays, starts, length);
    }

    /** Sets a point to a row that starts at {@code start}, or to the zero vector if null. */
    void place(int point, float[] row, int start) {
        arrays[point] = row == null ? ZEROS : row;
        starts[point] = row == null ? 0 : start;
    }
}
