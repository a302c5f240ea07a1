package dev.levee.gar.internal;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Plain kernels at first, others once there is work enough to pay for compiling them. Until the
 * compiler has seen them, vectors are objects and a call takes a hundred times as long, so they are
 * warmed up on a thread of their own, and no caller ever waits. Both give the same bits, so it does
 * not matter when a thread changes over.
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
    public void distances(
            float[] a,
            int aFrom,
            float[][] b,
            int[] bFrom,
            int first,
            int count,
            int length,
            float[] lanes) {
        now(count * length).distances(a, aFrom, b, bFrom, first, count, length, lanes);
    }

    @Override
    public void products(
            float[] a,
            int aFrom,
            float[][] b,
            int[] bFrom,
            int first,
            int count,
            int length,
            float[] lanes) {
        now(count * length).products(a, aFrom, b, bFrom, first, count, length, lanes);
    }

    @Override
    public void products(
            float[][] x, int[] from, int a, int b, int last, int length, float[] lanes) {
        now(TILE_ROWS * TILE_COLUMNS * length).products(x, from, a, b, last, length, lanes);
    }

    @Override
    public void distances(
            float[][] x, int[] from, int a, int b, int last, int length, float[] lanes) {
        now(TILE_ROWS * TILE_COLUMNS * length).distances(x, from, a, b, last, length, lanes);
    }

    @Override
    public void addWeighted(
            double[] weights,
            float[][] x,
            int[] from,
            int first,
            int count,
            int length,
            double[] sums) {
        now(count * length).addWeighted(weights, x, from, first, count, length, sums);
    }

    @Override
    public void add(
            float[][] x,
            int[] from,
            int first,
            int count,
            int length,
            double[] sums,
            boolean fresh) {
        now(count * length).add(x, from, first, count, length, sums, fresh);
    }

    @Override
    public boolean finite(float[] x, int length) {
        return now(length).finite(x, length);
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
