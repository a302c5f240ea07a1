package dev.levee.gar.internal;

/** Runs kernels on made-up rows until the compiler has seen enough of them. */
final class WarmUp implements Runnable {
    private static final int ROWS = 9;
    private static final int CALLS = 3000;

    /** Rows of a column that is sorted: merges of every kind, the last of runs unlike in length. */
    private static final int COLUMN = 1104;

    /** Each sort runs its loops many times, so fewer of them do. */
    private static final int COLUMN_CALLS = 4;

    private final Kernels kernels;
    private final float[][] rows = new float[ROWS][Kernels.CHUNK];
    private final int[] from = new int[ROWS];
    private final float[] lanes = new float[Kernels.lanesFor(ROWS)];
    private final float[] tile =
            new float[Kernels.TILE_ROWS * Kernels.TILE_COLUMNS * Kernels.LANES];
    private final double[] weights = new double[ROWS];
    private final double[] sums = new double[Kernels.CHUNK];
    private final double[] nearest = new double[Kernels.CHUNK];
    private final double[] start = new double[Kernels.CHUNK];
    private final int[][] keys = new int[4][Kernels.CHUNK];
    private final int[][] columns = new int[COLUMN][Kernels.LANES];
    private final int[] scratch = new int[Kernels.scratchFor(COLUMN)];

    WarmUp(Kernels kernels) {
        this.kernels = kernels;
    }

    @Override
    public void run() {
        int length = Kernels.CHUNK;
        Rows x = new Rows(rows, from, length);
        for (int call = 0; call < CALLS; call++) {
            // Kernels process rows in groups of eight, four and one: warm up all of them.
            int count = 1 + call % ROWS;
            kernels.distances(x, 0, 0, count, lanes);
            kernels.products(x, 0, 0, count, lanes);
            kernels.tileOfDistances(x, 0, 3, tile);
            kernels.tileOfProducts(x, 0, 3, tile);
            kernels.addWeighted(weights, x, 0, count, sums);
            kernels.add(x, 0, count, sums, true);
            kernels.divide(sums, 3, length, rows[1], 0);
            kernels.subtract(x, 4, 5, rows[2], 0);
            kernels.finite(rows[2], 0, length);
            kernels.toKeys(rows[3], 0, length, keys[0]);
            kernels.exchange(keys[0], keys[1], length);
            kernels.exchange(keys[0], keys[1], keys[2], keys[3], length);
            kernels.fromKeys(keys[0], length, rows[3], 0);
            kernels.chooseStart(rows[4], rows[5], sums, 1, length, nearest, start);
            kernels.addWindow(rows[4], start, 1, 2, length, sums);
            if (call % COLUMN_CALLS == 0) {
                kernels.sort(columns, 0, COLUMN - 1, Kernels.LANES, scratch);
                kernels.sumOfRanks(columns, 9, COLUMN - 9, Kernels.LANES, scratch, sums);
            }
        }
    }
}
