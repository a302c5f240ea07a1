package dev.levee.gar.internal;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Uses plain kernels until the vector kernels of the same kind are compiled. Uncompiled vector code
 * is a hundred times slower, so a separate thread warms up each kind that is needed. Callers never
 * wait. Both kinds of kernels give the same bits, so the moment of the switch does not matter.
 */
final class LateKernels implements Kernels {
    private static final System.Logger LOG = System.getLogger(Kernels.class.getName());
    private static final int KINDS = WarmUp.Kind.values().length;

    /**
     * Pauses, about half a minute, after which an unfinished warm-up moves behind those that wait.
     */
    private static final int SOON = 400;

    private final Kernels first;
    private final Kernels then;
    private final int pauses;

    /** The vector kernels of each kind, null until they are compiled. */
    private final AtomicReferenceArray<Kernels> ready = new AtomicReferenceArray<>(KINDS);

    /** 1 for each kind whose warm-up was requested. */
    private final AtomicIntegerArray wanted = new AtomicIntegerArray(KINDS);

    private final AtomicBoolean touched = new AtomicBoolean();

    /** One daemon thread, which ends when nothing is left to warm up. */
    private final ThreadPoolExecutor worker =
            new ThreadPoolExecutor(
                    1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), LateKernels::thread);

    LateKernels(Kernels first, Kernels then) {
        this(first, then, WarmUp.PAUSES);
    }

    /**
     * Creates kernels that stop warming up a kind after some time.
     *
     * @param pauses see {@link WarmUp#run}
     */
    LateKernels(Kernels first, Kernels then, int pauses) {
        this.first = first;
        this.then = then;
        this.pauses = pauses;
        worker.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "warming up vector kernels");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Begins to warm up the kinds that most rules use. Returns at once. Sums come last, because
     * they take the longest.
     */
    void prepare() {
        if (touched.compareAndSet(false, true)) {
            worker.execute(() -> WarmUp.touch(then));
        }
        want(EnumSet.of(WarmUp.Kind.PAIRS, WarmUp.Kind.RANKS));
        if (want(EnumSet.of(WarmUp.Kind.SUMS))) {
            worker.execute(() -> WarmUp.rounds(this));
        }
    }

    /** The kernels of a kind to use now. */
    Kernels now(WarmUp.Kind kind) {
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

    /** Requests a warm-up of kinds. Returns false if it was already requested for all of them. */
    private boolean want(EnumSet<WarmUp.Kind> kinds) {
        kinds.removeIf(kind -> !wanted.compareAndSet(kind.ordinal(), 0, 1));
        if (!kinds.isEmpty()) {
            worker.execute(
                    () -> {
                        Set<WarmUp.Kind> slow = warmUp(kinds, Math.min(pauses, SOON));
                        if (!slow.isEmpty()) {
                            worker.execute(() -> say(warmUp(slow, pauses)));
                        }
                    });
        }
        return !kinds.isEmpty();
    }

    private Set<WarmUp.Kind> warmUp(Collection<WarmUp.Kind> kinds, int most) {
        return new WarmUp(then).run(kinds, most, kind -> ready.set(kind.ordinal(), then));
    }

    private static void say(Set<WarmUp.Kind> plain) {
        plain.forEach(
                kind ->
                        LOG.log(
                                System.Logger.Level.WARNING,
                                "Java has not compiled the vector kernels of the kind {0}:"
                                        + " this process uses plain Java for them, which"
                                        + " is slower",
                                kind));
    }

    @Override
    public void distances(Rows x, int a, int others, int count, float[] lanes) {
        now(WarmUp.Kind.PAIRS).distances(x, a, others, count, lanes);
    }

    @Override
    public void products(Rows x, int a, int others, int count, float[] lanes) {
        now(WarmUp.Kind.PAIRS).products(x, a, others, count, lanes);
    }

    @Override
    public void tileOfDistances(Rows x, int a, int b, float[] lanes) {
        now(WarmUp.Kind.PAIRS).tileOfDistances(x, a, b, lanes);
    }

    @Override
    public void tileOfProducts(Rows x, int a, int b, float[] lanes) {
        now(WarmUp.Kind.PAIRS).tileOfProducts(x, a, b, lanes);
    }

    @Override
    public void combine(double[] weights, Rows x, int count, double divisor, float[] out, int to) {
        now(WarmUp.Kind.SUMS).combine(weights, x, count, divisor, out, to);
    }

    @Override
    public void combine(
            double[] weights,
            ByteBuffer[] rows,
            int from,
            int length,
            double divisor,
            float[] out,
            int to) {
        now(WarmUp.Kind.BUFFERS).combine(weights, rows, from, length, divisor, out, to);
    }

    @Override
    public void mix(double[][] weights, Rows x, int count, float[][] out) {
        now(WarmUp.Kind.MIXTURES).mix(weights, x, count, out);
    }

    @Override
    public void add(Rows x, int from, int count, double[] sums, boolean fresh) {
        now(WarmUp.Kind.SUMS).add(x, from, count, sums, fresh);
    }

    @Override
    public void subtract(Rows x, int a, int b, float[] out, int to) {
        now(WarmUp.Kind.SUMS).subtract(x, a, b, out, to);
    }

    @Override
    public boolean finite(float[] x, int from, int length) {
        return now(WarmUp.Kind.SUMS).finite(x, from, length);
    }

    @Override
    public void divide(double[] sums, double divisor, int length, float[] out, int to) {
        now(WarmUp.Kind.SUMS).divide(sums, divisor, length, out, to);
    }

    @Override
    public void toKeys(float[] x, int from, int length, int[] keys) {
        now(WarmUp.Kind.RANKS).toKeys(x, from, length, keys);
    }

    @Override
    public void fromKeys(int[] keys, int length, float[] out, int to) {
        now(WarmUp.Kind.RANKS).fromKeys(keys, length, out, to);
    }

    @Override
    public void exchange(int[] low, int[] high, int length) {
        now(WarmUp.Kind.RANKS).exchange(low, high, length);
    }

    @Override
    public void exchange(int[] a, int[] b, int[] c, int[] d, int length) {
        now(WarmUp.Kind.RANKS).exchange(a, b, c, d, length);
    }

    @Override
    public void sort(SortingNetwork network, int[][] keys, int columns) {
        now(WarmUp.Kind.RANKS).sort(network, keys, columns);
    }

    @Override
    public void meanOfRanks(int[][] keys, int low, int high, int columns, float[] out, int to) {
        now(WarmUp.Kind.SUMS).meanOfRanks(keys, low, high, columns, out, to);
    }

    @Override
    public void sort(int[][] keys, int low, int high, int columns, int[] scratch) {
        now(WarmUp.Kind.COLUMNS).sort(keys, low, high, columns, scratch);
    }

    @Override
    public void sumOfRanks(
            int[][] keys, int low, int high, int columns, int[] scratch, double[] sums) {
        now(WarmUp.Kind.COLUMNS).sumOfRanks(keys, low, high, columns, scratch, sums);
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
        now(WarmUp.Kind.WINDOWS).chooseStart(low, high, center, rank, length, nearest, start);
    }

    @Override
    public void addWindow(
            float[] x, double[] start, int rank, int keep, int length, double[] sums) {
        now(WarmUp.Kind.WINDOWS).addWindow(x, start, rank, keep, length, sums);
    }
}
