package dev.levee.gar.internal;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Plain kernels at first, then vector kernels once there is enough work to compile them. Uncompiled
 * vector code is a hundred times slower, so it is warmed up on a separate thread and no caller
 * waits. Both give the same bits, so the moment of the switch does not matter.
 */
final class LateKernels implements Kernels {
    /** Coordinates to process first: about half a second of plain work. */
    static final int ENOUGH = 1 << 29;

    private final Kernels first;
    private final Kernels then;
    private final AtomicBoolean warming = new AtomicBoolean();
    private volatile boolean warm;

    /** Counted without synchronization: a lost count only delays the change. */
    private int done;

    LateKernels(Kernels first, Kernels then) {
        this.first = first;
        this.then = then;
    }

    /** The kernels to use for this many more coordinates. */
    Kernels now(int coordinates) {
        if (warm) {
            return then;
        }
        int before = done;
        if (before < ENOUGH) {
            done = before + coordinates;
        } else if (warming.compareAndSet(false, true)) {
            Thread thread = new Thread(this::warmUp, "warming up vector kernels");
            thread.setDaemon(true);
            thread.start();
        }
        return first;
    }

    private void warmUp() {
        new WarmUp(then).run();
        warm = true;
    }

    @Override
    public void distances(Rows x, int a, int others, int count, float[] lanes) {
        now(count * x.length()).distances(x, a, others, count, lanes);
    }

    @Override
    public void products(Rows x, int a, int others, int count, float[] lanes) {
        now(count * x.length()).products(x, a, others, count, lanes);
    }

    @Override
    public void tileOfDistances(Rows x, int a, int b, float[] lanes) {
        now(TILE_ROWS * TILE_COLUMNS * x.length()).tileOfDistances(x, a, b, lanes);
    }

    @Override
    public void tileOfProducts(Rows x, int a, int b, float[] lanes) {
        now(TILE_ROWS * TILE_COLUMNS * x.length()).tileOfProducts(x, a, b, lanes);
    }

    @Override
    public void addWeighted(double[] weights, Rows x, int from, int count, double[] sums) {
        now(count * x.length()).addWeighted(weights, x, from, count, sums);
    }

    @Override
    public void add(Rows x, int from, int count, double[] sums, boolean fresh) {
        now(count * x.length()).add(x, from, count, sums, fresh);
    }

    @Override
    public void subtract(Rows x, int a, int b, float[] out, int to) {
        now(x.length()).subtract(x, a, b, out, to);
    }

    @Override
    public boolean finite(float[] x, int from, int length) {
        return now(length).finite(x, from, length);
    }

    @Override
    public void divide(double[] sums, double divisor, int length, float[] out, int to) {
        now(length).divide(sums, divisor, length, out, to);
    }

    @Override
    public void toKeys(float[] x, int from, int length, int[] keys) {
        now(length).toKeys(x, from, length, keys);
    }

    @Override
    public void fromKeys(int[] keys, int length, float[] out, int to) {
        now(length).fromKeys(keys, length, out, to);
    }

    @Override
    public void exchange(int[] low, int[] high, int length) {
        now(length).exchange(low, high, length);
    }

    @Override
    public void exchange(int[] a, int[] b, int[] c, int[] d, int length) {
        now(length).exchange(a, b, c, d, length);
    }

    @Override
    public void sort(int[][] keys, int low, int high, int columns, int[] scratch) {
        now(keys.length * columns).sort(keys, low, high, columns, scratch);
    }

    @Override
    public void sumOfRanks(
            int[][] keys, int low, int high, int columns, int[] scratch, double[] sums) {
        now(keys.length * columns).sumOfRanks(keys, low, high, columns, scratch, sums);
    }

    @Override
    public void chooseStart(
            float[] low,
            float[] high,
            double[] center,
            int rank,
            int length,
            double[] nearest,
            double[] start) {
        now(length).chooseStart(low, high, center, rank, length, nearest, start);
    }

    @Override
    public void addWindow(
            float[] x, double[] start, int rank, int keep, int length, double[] sums) {
        now(length).addWindow(x, start, rank, keep, length, sums);
    }
}
