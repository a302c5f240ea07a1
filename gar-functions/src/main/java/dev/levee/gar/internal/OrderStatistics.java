package dev.levee.gar.internal;

/**
 * Computes order statistics per coordinate over a fixed number of rows. Values are compared as ints
 * of the same order, so NaN sorts to the upper end. Sums are formed in double, in ascending order.
 * An instance holds scratch memory, so each call needs its own, and threads must not share it.
 */
final class OrderStatistics {
    /**
     * Up to this many rows, comparator networks process many coordinates at once. More rows are
     * sorted by merging, one register of columns at a time.
     */
    private static final int LARGEST_NETWORK = 64;

    /** Up to this many rows, a network may keep all rows of a few columns in registers. */
    private static final int IN_REGISTERS = 32;

    /** Ints sorted at a time in registers, so that they stay in the first-level cache. */
    private static final int KEYS = 8192;

    /** Ints sorted at a time by one comparator after the other, which are faster on long rows. */
    private static final int MORE_KEYS = 32768;

    private final Kernels kernels;
    private final int rows;
    private final int width;
    private final int[][] keys;
    private final int[] scratch;
    private final double[] sums;

    OrderStatistics(Kernels kernels, int rows) {
        this.kernels = kernels;
        this.rows = rows;
        int most = rows > IN_REGISTERS && rows <= LARGEST_NETWORK ? MORE_KEYS : KEYS;
        width = Math.max(64, Math.min(1024, most / rows / 16 * 16));
        keys = new int[rows][width];
        scratch = new int[rows > LARGEST_NETWORK ? Kernels.scratchFor(rows) : 0];
        sums = new double[rows > LARGEST_NETWORK ? width : 0];
    }

    /** Median; for an even number of values, the mean of the two middle ones, or the lower one. */
    void median(boolean lower, Rows x, float[] out, int to) {
        int low = (rows - 1) / 2;
        int high = lower ? low : rows / 2;
        if (low < high) {
            means(low, high, x, out, to);
            return;
        }
        SortingNetwork network = network(low, low);
        for (int i = 0; i < x.length(); i += width) {
            int coordinates = Math.min(width, x.length() - i);
            sort(network, x, i, coordinates, low, low);
            kernels.fromKeys(keys[low], coordinates, out, to + i);
        }
    }

    /** Mean after dropping {@code trim} values at each end. */
    void trimmedMean(int trim, Rows x, float[] out, int to) {
        checkTrim(trim);
        means(trim, rows - 1 - trim, x, out, to);
    }

    /** Means of the ranks {@code low} to {@code high}. The mean of a single −0 is 0. */
    private void means(int low, int high, Rows x, float[] out, int to) {
        SortingNetwork network = network(low, high);
        for (int i = 0; i < x.length(); i += width) {
            int coordinates = Math.min(width, x.length() - i);
            if (network == null) {
                toKeys(x, i, coordinates);
                kernels.sumOfRanks(keys, low, high, coordinates, scratch, sums);
                kernels.divide(sums, high - low + 1, coordinates, out, to + i);
            } else {
                sort(network, x, i, coordinates, low, high);
                kernels.meanOfRanks(keys, low, high, coordinates, out, to + i);
            }
        }
    }

    /**
     * Mean of the {@code keep} values closest to the mean of ranks {@code low} to {@code high}. If
     * two values are equally close, the smaller is kept.
     */
    void meanAround(int low, int high, int keep, Rows x, float[] out, int to) {
        if (keep < 1 || keep > rows) {
            throw new IllegalArgumentException(
                    "cannot keep %s of %s values: keep at least 1, at most all"
                            .formatted(keep, rows));
        }
        SortingNetwork network = network(0, rows - 1);
        WindowMeans windows = new WindowMeans(kernels, rows, width);
        for (int i = 0; i < x.length(); i += width) {
            int coordinates = Math.min(width, x.length() - i);
            sort(network, x, i, coordinates, 0, rows - 1);
            windows.mean(keys, low, high, keep, coordinates, out, to + i);
        }
    }

    void checkTrim(int trim) {
        if (trim < 0 || 2 * trim >= rows) {
            throw new IllegalArgumentException(
                    "cannot drop " + trim + " values at each end of " + rows);
        }
    }

    private SortingNetwork network(int low, int high) {
        return rows <= LARGEST_NETWORK ? SortingNetwork.of(rows, low, high) : null;
    }

    private void sort(
            SortingNetwork network, Rows x, int offset, int coordinates, int low, int high) {
        toKeys(x, offset, coordinates);
        if (network != null) {
            kernels.sort(network, keys, coordinates);
        } else {
            kernels.sort(keys, low, high, coordinates, scratch);
        }
    }

    private void toKeys(Rows x, int offset, int coordinates) {
        for (int r = 0; r < rows; r++) {
            kernels.toKeys(x.arrays()[r], x.starts()[r] + offset, coordinates, keys[r]);
        }
    }
}
