package dev.levee.gar.internal.gpu;

import dev.levee.gar.Reduction;
import dev.levee.gar.internal.gpu.BlockGroups.Place;

/**
 * The kernel of an order statistic and its parameters.
 *
 * @param exact whether a single rank is copied instead of averaged
 * @param keep number of values around the center, 0 if there is none
 */
record OrderKernel(String kernel, int count, int low, int high, boolean exact, int keep) {
    /** Up to this many values, a sorting network runs in a thread's registers. */
    private static final int LARGEST_NETWORK = 64;

    private static final int SMALLEST_NETWORK = 4;

    /** A reduction of {@code count} rows; null if no kernel does it or if it is not possible. */
    static OrderKernel of(Reduction reduction, int count) {
        if (reduction instanceof Reduction.Median median) {
            return median(median.lower(), count);
        }
        if (count > LARGEST_NETWORK) {
            return null;
        }
        if (reduction instanceof Reduction.TrimmedMean trimmed) {
            int trim = trimmed.trim();
            return possible(trim, count)
                    ? new OrderKernel(
                            network("ranks", count), count, trim, count - 1 - trim, false, 0)
                    : null;
        }
        if (reduction instanceof Reduction.MeanAroundMedian around) {
            return around((count - 1) / 2, count / 2, around.keep(), count);
        }
        if (reduction instanceof Reduction.MeanAroundLowerMedian around) {
            return around((count - 1) / 2, (count - 1) / 2, around.keep(), count);
        }
        if (reduction instanceof Reduction.MeanAroundTrimmedMean around) {
            int trim = around.trim();
            return possible(trim, count)
                    ? around(trim, count - 1 - trim, around.keep(), count)
                    : null;
        }
        return null;
    }

    /** The median of any number of rows. */
    static OrderKernel median(boolean lower, int count) {
        int low = (count - 1) / 2;
        int high = lower ? low : count / 2;
        String kernel =
                count == 3
                        ? "median3"
                        : count <= LARGEST_NETWORK ? network("ranks", count) : "selected";
        return new OrderKernel(kernel, count, low, high, low == high, 0);
    }

    private static OrderKernel around(int low, int high, int keep, int count) {
        return keep < 1 || keep > count
                ? null
                : new OrderKernel(network("around", count), count, low, high, false, keep);
    }

    private static boolean possible(int trim, int count) {
        return trim >= 0 && 2 * trim < count;
    }

    private static String network(String name, int count) {
        int size = SMALLEST_NETWORK;
        while (size < count) {
            size *= 2;
        }
        return name + size;
    }

    /** Enqueues the kernel over {@code rows}, an address of matrix rows, into {@code out}. */
    void launch(Accelerator device, Place place, long rows, long out) {
        device.launch(
                place.stream(),
                kernel,
                place.width(),
                place.matrix(),
                place.stride(),
                place.width(),
                rows,
                count,
                low,
                high,
                exact ? 1 : 0,
                keep,
                out);
    }
}
