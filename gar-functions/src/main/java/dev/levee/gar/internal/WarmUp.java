package dev.levee.gar.internal;

import com.sun.management.ThreadMXBean;

import dev.levee.gar.Look;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.gar.Span;

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
 * Runs kernels on made-up rows until they are compiled. Vectors are objects in code that is not
 * compiled, so a compiled kernel is one that allocates next to nothing. Short rows suffice for the
 * compiler's thresholds, which count calls and passes of loops; long ones would make it compile the
 * vectors' own methods for nothing.
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

        /** Sorted columns of many rows; each call runs its loops many times. */
        COLUMNS(CALLS / 2),

        /** Sums of rows outside the heap. */
        BUFFERS(CALLS),

        /** Windows around a center. */
        WINDOWS(CALLS);

        /** Calls of a kernel that make the compiler begin. */
        final int calls;

        Kind(int calls) {
            this.calls = calls;
        }
    }

    /** Coordinates: sixteen registers of floats, and a remainder that plain code takes by fours. */
    private static final int LENGTH = 16 * Kernels.LANES + 7;

    /**
     * Coordinates of rows that are combined, one pass and a remainder: the compiler leaves up to
     * seven vectors of a pass as objects, which cost little beside its rows.
     */
    private static final int FEW_COORDINATES = 2 * Kernels.LANES + 3;

    /** Rows, for kernels that process eight, four and one at a time. */
    private static final int ROWS = 13;

    /** Rows of a column that is sorted: merges of every kind, the last of runs unlike in length. */
    private static final int COLUMN = 1104;

    /** Rows of a column that is sorted once. */
    private static final int SHORT_COLUMN = 48;

    /** Calls until the compiler begins: it wants 600 of them, and 15,000 with passes of a loop. */
    private static final int CALLS = 800;

    /** Passes over all kernels that share their calls, so that the compiler sees each early. */
    private static final int TURNS = 16;

    private static final int ROUNDS = 600;
    private static final int ROUND_ROWS = 11;
    private static final int ROUND_LENGTH = Kernels.CHUNK + 100;

    /** Calls that show that a kernel is compiled. */
    private static final int QUIET = 3;

    /** Bytes that such a call may allocate: less than a vector in each pass of a loop. */
    private static final int FEW = 1024;

    /** Pauses in which the compiler works, ever longer ones; three minutes in all. */
    static final int PAUSES = 2000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Kernels kernels;
    private final int length;
    private final int column;
    private final float[][] rows;
    private final Rows x;
    private final Rows few;
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
     * Exercises of a size.
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
        few = new Rows(rows, new int[ROWS], FEW_COORDINATES);
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
     * Runs every kernel once, on a few coordinates. To be called before any is compiled.
     *
     * <p>The Vector API looks up each operation of each vector type at its first use, in one method
     * for all of them. If that method is compiled before the last of these lookups, a lookup of a
     * new type leaves the compiled code. The compiler adds up such exits over all inlined calls of
     * a kernel and stops to trust types at 100 ({@code PerMethodTrapLimit}). A kernel of sixty
     * comparators then keeps its vectors as objects for good.
     */
    static void touch(Kernels kernels) {
        WarmUp once = new WarmUp(kernels, FEW_COORDINATES, SHORT_COLUMN);
        for (Kind kind : Kind.values()) {
            once.exercises(kind).forEach(Runnable::run);
        }
    }

    /**
     * Runs kernels of these kinds in turn. Returns when all are compiled, or after so many pauses.
     *
     * @param pauses {@link #PAUSES}, or fewer
     * @param compiled is told of each kind when it is compiled
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
                            () -> kernels.combine(null, few, ROWS, 3, rows[1], 0),
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

    /** One of the quotients lies half-way between two floats, which takes longer. */
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

    private List<Runnable> columns() {
        int[][] columns = new int[column][Kernels.LANES];
        int[] scratch = new int[Kernels.scratchFor(column)];
        double[] ranks = new double[Kernels.LANES];
        return List.of(
                () -> kernels.sort(columns, 0, column - 1, Kernels.LANES, scratch),
                () -> kernels.sumOfRanks(columns, 9, column - 9, Kernels.LANES, scratch, ranks));
    }

    /**
     * Runs one kernel until it is compiled; each call has some tens of passes of a loop.
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

    /** One turn. A compiler with much to do wants more calls before it begins, so others follow. */
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

    /** Looks at made-up rows and reduces them, so that what calls the kernels is compiled, too. */
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
