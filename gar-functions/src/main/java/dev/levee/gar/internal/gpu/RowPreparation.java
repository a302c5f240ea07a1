package dev.levee.gar.internal.gpu;

import dev.levee.gar.RowMap;
import dev.levee.gar.internal.gpu.BlockGroups.Place;

/** Writes the matrix rows that are not copied from the host: the median and the mixtures. */
final class RowPreparation {
    private final Accelerator device;
    private final Layout layout;
    private final long points;
    private final long raw;
    private final long weights;

    /** Bytes that the constants of a layout take. */
    static long room(Layout layout) {
        return Constants.room((long) layout.points.length * Integer.BYTES)
                + Constants.room((long) layout.raw.length * Integer.BYTES)
                + (long) layout.mixtures.length * layout.points.length * Double.BYTES;
    }

    RowPreparation(Accelerator device, Layout layout, RowMap map, Constants constants) {
        this.device = device;
        this.layout = layout;
        points = constants.add(layout.points);
        raw = constants.add(layout.raw);
        double[][] mixed = new double[layout.mixtures.length][];
        for (int m = 0; m < mixed.length; m++) {
            mixed[m] = read(map.weights()[layout.mixtures[m]]);
        }
        weights = constants.add(mixed);
    }

    /** Leaves out the zero vector, so that an infinite weight of it does not become a NaN. */
    private double[] read(double[] weights) {
        double[] read = weights.clone();
        for (int i = 0; i < read.length; i++) {
            if (layout.points[i] == Layout.ZERO) {
                read[i] = 0;
            }
        }
        return read;
    }

    void launch(Place place) {
        if (layout.rawMedian != Layout.ZERO) {
            OrderKernel.median(false, layout.raw.length)
                    .launch(device, place, raw, place.row(layout.rawMedian));
        }
        if (layout.mixtures.length > 0) {
            mix(place, weights, layout.mixtures.length, 1, place.row(layout.firstMixture));
        }
    }

    /** Enqueues weighted sums of the map's points divided by a number. */
    void mix(Place place, long weights, int outputs, int divisor, long out) {
        device.launch(
                place.stream(),
                "mix",
                (long) outputs * place.width(),
                place.matrix(),
                place.stride(),
                place.width(),
                points,
                weights,
                layout.points.length,
                outputs,
                divisor,
                out);
    }

    /** The weights without the zero vector's weight. */
    double[][] only(double[] weights) {
        return new double[][] {read(weights)};
    }
}
