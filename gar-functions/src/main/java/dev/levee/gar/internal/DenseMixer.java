package dev.levee.gar.internal;

import dev.levee.gar.RowMap;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Forms the mixtures of a map together, which is faster if most of them read the same points. The
 * bits are those of {@link Mixer}, because a finite number times weight zero changes no sum.
 */
final class DenseMixer {
    /** Fewer mixtures are formed one by one. */
    private static final int FEWEST = 4;

    private final Kernels kernels;
    private final Mixer mixer;
    private final int[] columns;
    private final double[][] weights;
    private final float[][] mixtures;
    private final float[][] points;
    private final int[] starts;

    private DenseMixer(
            Kernels kernels, Mixer mixer, int[] columns, double[][] weights, float[][] mixtures) {
        this.kernels = kernels;
        this.mixer = mixer;
        this.columns = columns;
        this.weights = weights;
        this.mixtures = mixtures;
        points = new float[columns.length][];
        starts = new int[columns.length];
    }

    /**
     * The mixer for some outputs of a map, or null if forming each alone is at least as fast.
     *
     * @param mixtures receives each output; null for those that are not formed
     */
    static DenseMixer of(Kernels kernels, Mixer mixer, RowMap map, float[][] mixtures) {
        int[] outputs =
                IntStream.range(0, mixtures.length).filter(o -> mixtures[o] != null).toArray();
        if (outputs.length < FEWEST) {
            return null;
        }
        int[] uses = new int[map.points()];
        for (int o : outputs) {
            for (int i = 0; i < uses.length; i++) {
                uses[i] += map.weights()[o][i] == 0 ? 0 : 1;
            }
        }
        int[] columns =
                IntStream.range(0, uses.length)
                        .filter(i -> uses[i] > 0 && !mixer.isOrigin(i))
                        .toArray();
        long used = Arrays.stream(columns).mapToLong(i -> uses[i]).sum();
        if (2 * used < (long) columns.length * outputs.length) {
            return null;
        }
        double[][] weights = new double[outputs.length][];
        for (int k = 0; k < outputs.length; k++) {
            double[] all = map.weights()[outputs[k]];
            weights[k] =
                    columns.length == all.length
                            ? all
                            : Arrays.stream(columns).mapToDouble(i -> all[i]).toArray();
        }
        float[][] formed =
                Arrays.stream(outputs).mapToObj(o -> mixtures[o]).toArray(float[][]::new);
        return new DenseMixer(kernels, mixer, columns, weights, formed);
    }

    /**
     * Writes the mixtures of the coordinates that the rows' reader has read.
     *
     * @return false if a point is not finite, so that nothing has been done
     */
    boolean mix(int from, int length) {
        for (int k = 0; k < columns.length; k++) {
            float[] point = mixer.point(columns[k], length);
            points[k] = point == null ? Points.ZEROS : point;
            starts[k] = point == null ? 0 : mixer.start(columns[k], point, from);
            if (!kernels.finite(points[k], starts[k], length)) {
                return false;
            }
        }
        kernels.mix(weights, new Rows(points, starts, length), columns.length, mixtures);
        return true;
    }
}
