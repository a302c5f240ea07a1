package dev.levee.gar.internal;

import com.sun.management.ThreadMXBean;

import dev.levee.gar.Look;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.Span;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs kernels on made-up rows until they are compiled. In code that is not compiled, vectors are
 * objects, so a kernel counts as compiled if it allocates next to nothing. Short rows are enough,
 * because the compiler's thresholds count calls and iterations of loops. Long rows would make the
 * compiler also compile the vectors' own methods, which is wasted work.
 */
public final class WarmUp {
    /** Kernels that are used together, and are therefore compiled together. */
    enum Kind {
        /** Sums of rows, their quotients, differences of rows, and the check for finite values. */
        SUMS(CALLS),

        /** Keys and comparators. */
        RANKS(CALLS),

        /** Distances and inner products. */
        PAIRS(CALLS),

        /** Sorted columns of many rows. Each call makes many iterations of its loops. */
        COLUMNS(CALLS / 2),

        /** Several weighted sums of the same rows. */
        MIXTURES(CALLS),

        /** Sums of rows outside the heap. */
        BUFFERS(CALLS),

        /** Windows around a center. */
        WINDOWS(CALLS);

        /** Number of calls after which the compiler begins to compile a kernel. */
        final int calls;

        Kind(int calls) {
            this.calls = calls;
        }
    }

    /**
     * Coordinates per row: sixteen registers of floats, and a remainder for plain code, which
     * processes four at a time.
     */
    private static final int LENGTH = 16 * Kernels.LANES + 7;

    /** Coordinates for {@link #touch}: an iteration of each kernel, and a remainder. */
    private static final int FEW_COORDINATES = 2 * Kernels.LANES + 3;

    /** Number of rows, for kernels that process eight, four and one row at a time. */
    private static final int ROWS = 13;

    /** Sums of the same rows: one time four, and one that is left. */
    private static final int MIXTURES = 5;

    /**
     * Rows of a sorted column. Sorting them takes merges of every kind; the last merges runs of
     * different lengths.
     */
    private static final int COLUMN = 1104;

    /** Rows of a column for {@link #touch}, which sorts it once. */
    private static final int SHORT_COLUMN = 48;

    /**
     * Calls until the compiler begins. It requires 600 calls, and 15,000 calls and loop iterations
     * together.
     */
    private static final int CALLS = 800;

    /**
     * Number of turns over all kernels. Each turn makes a part of their calls, so that the compiler
     * sees every kernel early.
     */
    private static final int TURNS = 16;

    private static final int ROUNDS = 600;
    private static final int ROUND_ROWS = 11;
    private static final int ROUND_LENGTH = Kernels.CHUNK + 100;

    /** Number of successive calls with few allocations that show that a kernel is compiled. */
    private static final int QUIET = 3;

    /** Bytes that such a call may allocate, less than a vector per loop iteration. */
    private static final int FEW = 1024;

    /**
     * Maximum number of pauses, in which the compiler works. They get longer; all of them take
     * three minutes.
     */
    static final int PAUSES = 2000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Kernels kernels;
    private final int length;
    private final int column;
    private final float[][] rows;
    private final Rows x;
    private final float[] lanes = new float[Kernels.lanesFor(ROWS)];
    private final float[] tile = new float[Kernels.TILE];
    private final double[] weights = new double[ROWS];
    private final double[] sums;
    private final double[] nearest;
    private final double[] start;
    private final int[][] keys;
    private boolean fresh;

    WarmUp(Kernels kernels) {
        this(kernels, LENGTH, COLUMN);
    }

    /**
     * Creates exercises on rows of a given length.
     *
     * @param length coordinates, at least {@link #FEW_COORDINATES}
     * @param column rows of a column that is sorted
     */
    private WarmUp(Kernels kernels, int length, int column) {
        this.kernels = kernels;
        this.length = length;
        this.column = column;
        rows = new float[ROWS][length];
        x = new Rows(rows, new int[ROWS], length);
        sums = new double[length];
        nearest = new double[length];
        start = new double[length];
        keys = new int[4][length];
        for (int i = 0; i < length; i++) {
            for (int r = 0; r < ROWS; r++) {
                rows[r][i] = i % 7 - r;
            }
        }
        Arrays.fill(weights, 0.5);
    }

    /**
     * Runs every kernel once, on a few coordinates. Must be called before any kernel is compiled.
     *
     * <p>The Vector API looks up each operation of each vector type at its first use, in one method
     * for all of them. If that method is compiled before the last of these lookups, a lookup of a
     * new type exits the compiled code. The compiler counts such exits over all inlined calls of a
     * kernel and stops trusting types at 100 ({@code PerMethodTrapLimit}). A kernel of sixty
     * comparators then keeps its vectors as objects forever.
     */
    static void touch(Kernels kernels) {
        WarmUp once = new WarmUp(kernels, FEW_COORDINATES, SHORT_COLUMN);
        for (Kind kind : Kind.values()) {
            once.exercises(kind).forEach(Runnable::run);
        }
    }

    /**
     * Runs kernels of these kinds in turn. Returns when all are compiled, or after {@code pauses}
     * pauses.
     *
     * @param pauses {@link #PAUSES}, or fewer
     * @param compiled receives each kind when it is compiled
     * @return the kinds that are not compiled
     */
    Set<Kind> run(Collection<Kind> kinds, int pauses, Consumer<Kind> compiled) {
        Map<Kind, List<Runnable>> pending = new EnumMap<>(Kind.class);
        kinds.forEach(kind -> pending.put(kind, new ArrayList<>(exercises(kind))));
        for (int turn = 0; turn < TURNS; turn++) {
            pending.forEach(WarmUp::repeat);
        }
        for (int pause = 0; pause < pauses && !pending.isEmpty(); pause++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.min(5 + pause / 4, 100)));
            pending.forEach(
                    (kind, exercises) -> {
                        exercises.removeIf(WarmUp::quiet);
                        if (exercises.isEmpty()) {
                            compiled.accept(kind);
                        }
                        repeat(kind, exercises);
                    });
            pending.values().removeIf(List::isEmpty);
        }
        return pending.keySet();
    }

    private List<Runnable> exercises(Kind kind) {
        return switch (kind) {
            case SUMS ->
                    List.of(
                            this::add,
                            () -> kernels.combine(null, x, ROWS, 3, rows[1], 0),
                            () -> kernels.combine(weights, x, ROWS, 3, rows[1], 0),
                            () -> kernels.meanOfRanks(keys, 0, 3, length, rows[1], 0),
                            this::divide,
                            () -> kernels.subtract(x, 4, 5, rows[2], 0),
                            () -> kernels.finite(rows[2], 0, length));
            case RANKS ->
                    List.of(
                            () -> kernels.toKeys(rows[3], 0, length, keys[0]),
                            () -> kernels.exchange(keys[0], keys[1], keys[2], keys[3], length),
                            () -> kernels.exchange(keys[0], keys[1], length),
                            () -> kernels.fromKeys(keys[0], length, rows[3], 0));
            case PAIRS ->
                    List.of(
                            () -> kernels.tileOfDistances(x, 0, 3, tile),
                            () -> kernels.distances(x, 0, 1, 5, lanes),
                            () -> kernels.tileOfProducts(x, 0, 3, tile),
                            () -> kernels.products(x, 0, 1, 5, lanes));
            case COLUMNS -> columns();
            case MIXTURES -> mixtures();
            case BUFFERS -> buffers();
            case WINDOWS ->
                    List.of(
                            () ->
                                    kernels.chooseStart(
                                            rows[4], rows[5], sums, 1, length, nearest, start),
                            () -> kernels.addWindow(rows[4], start, 1, 2, length, sums));
        };
    }

    private void add() {
        fresh = !fresh;
        kernels.add(x, 0, ROWS, sums, fresh);
    }

    /** Divides sums. One quotient lies half-way between two floats, which takes a slower branch. */
    private void divide() {
        sums[5] = 3 * (1 + 0x1p-24);
        kernels.divide(sums, 3, length, rows[1], 0);
    }

    private List<Runnable> buffers() {
        ByteBuffer[] memory = new ByteBuffer[ROWS];
        Arrays.setAll(
                memory,
                r ->
                        ByteBuffer.allocateDirect(length * Float.BYTES)
                                .order(ByteOrder.nativeOrder()));
        return List.of(
                () -> kernels.combine(null, memory, 0, length, 3, rows[1], 0),
                () -> kernels.combine(weights, memory, 0, length, 3, rows[1], 0));
    }

    private List<Runnable> mixtures() {
        double[][] several = new double[MIXTURES][ROWS];
        float[][] out = new float[MIXTURES][length];
        return List.of(() -> kernels.mix(several, x, ROWS, out));
    }

    private List<Runnable> columns() {
        int[][] columns = new int[column][Kernels.LANES];
        int[] scratch = new int[Kernels.scratchFor(column)];
        double[] ranks = new double[Kernels.LANES];
        return List.of(
                () -> kernels.sort(columns, 0, column - 1, Kernels.LANES, scratch),
                () -> kernels.sumOfRanks(columns, 9, column - 9, Kernels.LANES, scratch, ranks));
    }

    /**
     * Runs one kernel until it is compiled. Each call must make some tens of loop iterations.
     *
     * @return false if it is not compiled after three minutes
     */
    public static boolean compiled(Runnable exercise) {
        for (int pause = 0; pause < PAUSES; pause++) {
            for (int call = 0; call < CALLS / 8; call++) {
                exercise.run();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.min(5 + pause / 4, 100)));
            if (quiet(exercise)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Runs one turn. A busy compiler requires more calls before it begins, so more turns follow.
     */
    private static void repeat(Kind kind, List<Runnable> exercises) {
        for (Runnable exercise : exercises) {
            for (int call = 0; call < kind.calls / TURNS; call++) {
                exercise.run();
            }
        }
    }

    private static boolean quiet(Runnable exercise) {
        for (int call = 0; call < QUIET; call++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            exercise.run();
            if (THREADS.getCurrentThreadAllocatedBytes() - before > FEW) {
                return false;
            }
        }
        return true;
    }

    /**
     * Looks at made-up rows and reduces them, so that the callers of the kernels are compiled, too.
     */
    static void rounds(Kernels kernels) {
        float[][] rows = new float[ROUND_ROWS][ROUND_LENGTH];
        for (int r = 0; r < ROUND_ROWS; r++) {
            Arrays.fill(rows[r], r);
        }
        float[] out = new float[ROUND_LENGTH];
        RowMap all = RowMap.identity(ROUND_ROWS, ROUND_ROWS);
        List<Reduction> reductions =
                List.of(
                        new Reduction.Mean(),
                        new Reduction.Median(false),
                        new Reduction.TrimmedMean(2));
        Backend.Work work = new CpuBackend(kernels).on(rows, null);
        for (int call = 0; call < ROUNDS; call++) {
            work.look(Look.DISTANCES, all, new Span(0, ROUND_LENGTH, 1, call));
            for (Reduction reduction : reductions) {
                work.reduce(all, reduction, List.of(), out);
            }
        }
    }
}
