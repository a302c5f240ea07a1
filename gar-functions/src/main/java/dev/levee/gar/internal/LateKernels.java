package dev.levee.gar.internal;

import java.util.EnumSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Plain kernels until the vector kernels of the same kind are compiled. Uncompiled vector code is a
 * hundred times slower, so a separate thread warms up each kind that is needed, and no caller
 * waits. Both give the same bits, so the moment of the switch does not matter.
 */
final class LateKernels implements Kernels {
    private static final int KINDS = KernelKind.values().length;

    private final Kernels first;
    private final Kernels then;

    /** The vector kernels of each kind, null until they are compiled. */
    private final AtomicReferenceArray<Kernels> ready = new AtomicReferenceArray<>(KINDS);

    /** 1 for each kind that is warmed up or waits for it. */
    private final AtomicIntegerArray wanted = new AtomicIntegerArray(KINDS);

    /** One daemon thread, which ends when nothing is left to warm up. */
    private final ThreadPoolExecutor worker =
            new ThreadPoolExecutor(
                    1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), LateKernels::thread);

    LateKernels(Kernels first, Kernels then) {
        this.first = first;
        this.then = then;
        worker.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "warming up vector kernels");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Begins to warm up the kinds that most rules use. Returns at once. Sums come last: they have
     * vectors of two sizes. If the profile of a method of all vectors has both, the compiler leaves
     * vectors of sums between rows as objects.
     */
    void prepare() {
        want(EnumSet.of(KernelKind.PAIRS, KernelKind.RANKS));
        if (want(EnumSet.of(KernelKind.SUMS))) {
            worker.execute(new FirstRounds(this));
        }
    }

    /** The kernels of a kind to use now. */
    Kernels now(KernelKind kind) {
        Kernels compiled = ready.get(kind.ordinal());
        if (compiled != null) {
            return compiled;
        }
        if (wanted.get(kind.ordinal()) == 0) {
            prepare();
            want(EnumSet.of(kind));
        }
        return first;
    }

    /** False if all of these are wanted already. */
    private boolean want(EnumSet<KernelKind> kinds) {
        kinds.removeIf(kind -> !wanted.compareAndSet(kind.ordinal(), 0, 1));
        if (!kinds.isEmpty()) {
            worker.execute(
                    () -> new WarmUp(then).run(kinds, kind -> ready.set(kind.ordinal(), then)));
        }
        return !kinds.isEmpty();
    }

    @Override
    public void distances(Rows x, int a, int others, int count, float[] lanes) {
        now(KernelKind.PAIRS).distances(x, a, others, count, lanes);
    }

    @Override
    public void products(Rows x, int a, int others, int count, float[] lanes) {
        now(KernelKind.PAIRS).products(x, a, others, count, lanes);
    }

    @Override
    public void tileOfDistances(Rows x, int a, int b, float[] lanes) {
        now(KernelKind.PAIRS).tileOfDistances(x, a, b, lanes);
    }

    @Override
    public void tileOfProducts(Rows x, int a, int b, float[] lanes) {
        now(KernelKind.PAIRS).tileOfProducts(x, a, b, lanes);
    }

    @Override
    public void addWeighted(double[] weights, Rows x, int from, int count, double[] sums) {
        now(KernelKind.SUMS).addWeighted(weights, x, from, count, sums);
    }

    @Override
    public void add(Rows x, int from, int count, double[] sums, boolean fresh) {
        now(KernelKind.SUMS).add(x, from, count, sums, fresh);
    }

    @Override
    public void subtract(Rows x, int a, int b, float[] out, int to) {
        now(KernelKind.SUMS).subtract(x, a, b, out, to);
    }

    @Override
    public boolean finite(float[] x, int from, int length) {
        return now(KernelKind.SUMS).finite(x, from, length);
    }

    @Override
    public void divide(double[] sums, double divisor, int length, float[] out, int to) {
        now(KernelKind.SUMS).divide(sums, divisor, length, out, to);
    }

    @Override
    public void toKeys(float[] x, int from, int length, int[] keys) {
        now(KernelKind.RANKS).toKeys(x, from, length, keys);
    }

    @Override
    public void fromKeys(int[] keys, int length, float[] out, int to) {
        now(KernelKind.RANKS).fromKeys(keys, length, out, to);
    }

    @Override
    public void exchange(int[] low, int[] high, int length) {
        now(KernelKind.RANKS).exchange(low, high, length);
    }

    @Override
    public void exchange(int[] a, int[] b, int[] c, int[] d, int length) {
        now(KernelKind.RANKS).exchange(a, b, c, d, length);
    }

    @Override
    public void sort(int[][] keys, int low, int high, int columns, int[] scratch) {
        now(KernelKind.COLUMNS).sort(keys, low, high, columns, scratch);
    }

    @Override
    public void sumOfRanks(
            int[][] keys, int low, int high, int columns, int[] scratch, double[] sums) {
        now(KernelKind.COLUMNS).sumOfRanks(keys, low, high, columns, scratch, sums);
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
        now(KernelKind.WINDOWS).chooseStart(low, high, center, rank, length, nearest, start);
    }

    @Override
    public void addWindow(
            float[] x, double[] start, int rank, int keep, int length, double[] sums) {
        now(KernelKind.WINDOWS).addWindow(x, start, rank, keep, length, sums);
    }
}
