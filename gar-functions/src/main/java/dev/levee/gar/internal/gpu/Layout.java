package dev.levee.gar.internal.gpu;

import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Assigns points to rows of the device's matrix: rows copied from the host, then rows that kernels
 * write.
 */
final class Layout {
    /** Stands for the zero vector, which has no row in the matrix. */
    static final int ZERO = -1;

    /** The arrays copied, in order. */
    final List<float[]> uploaded = new ArrayList<>();

    /** Matrix row of each column of the map; {@link #ZERO} if it is zero or not read. */
    final int[] points;

    /** Matrix row of each output of the map. */
    final int[] outputs;

    /** The outputs that are mixtures, and the matrix row of the first; the others follow it. */
    final int[] mixtures;

    final int firstMixture;

    /** Matrix rows of the raw rows and of their median, if a map uses it. */
    final int[] raw;

    final int rawMedian;

    /** Matrix row of the previous aggregate, {@link #ZERO} if it is zero. */
    final int previous;

    private int rows;

    /**
     * Creates a layout.
     *
     * @param everything true to copy all rows and the previous aggregate, in this order; false to
     *     copy only those that the map reads
     * @param outputsNeeded whether the map's outputs are needed as rows, or only its columns
     */
    Layout(
            boolean everything,
            RowMap map,
            float[][] x,
            float[] previous,
            List<Reference> references,
            boolean outputsNeeded) {
        int n = x.length;
        boolean median = false;
        boolean past = previous != null && (everything || references.contains(Reference.PREVIOUS));
        for (int i = n; i < map.points(); i++) {
            median |= map.uses(i) && references.get(i - n) == Reference.MEDIAN;
        }
        raw = new int[n];
        Arrays.fill(raw, ZERO);
        for (int i = 0; i < n; i++) {
            if (everything || median || i < map.points() && map.uses(i)) {
                raw[i] = upload(x[i]);
            }
        }
        this.previous = past ? upload(previous) : ZERO;
        rawMedian = median ? rows++ : ZERO;
        points = new int[map.points()];
        for (int i = 0; i < points.length; i++) {
            points[i] = i < n ? raw[i] : ofReference(references, i - n);
        }
        outputs = new int[map.outputs()];
        int[] mixed = new int[outputs.length];
        int count = 0;
        firstMixture = rows;
        for (int o = 0; o < outputs.length && outputsNeeded; o++) {
            int only = map.selected(o);
            if (only >= 0 && only < n) {
                outputs[o] = raw[only];
            } else {
                mixed[count++] = o;
                outputs[o] = rows++;
            }
        }
        mixtures = Arrays.copyOf(mixed, count);
    }

    private int upload(float[] array) {
        uploaded.add(array);
        return rows++;
    }

    /** Adds one row for a kernel to write; returns its index. */
    int add() {
        return rows++;
    }

    /** Number of matrix rows. */
    int rows() {
        return rows;
    }

    private int ofReference(List<Reference> references, int index) {
        if (index >= references.size()) {
            return ZERO;
        }
        return switch (references.get(index)) {
            case ORIGIN -> ZERO;
            case PREVIOUS -> previous;
            case MEDIAN -> rawMedian;
        };
    }
}
