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

    /** Coordinates: sixteen registers of floats, and a remainder. */
    private static final int LENGTH = 16 * Kernels.LANES + 3;

    /**
     * Coordinates of rows that are combined, one pass and a remainder: the compiler leaves up to
     * seven vectors of a pass as objects, which cost little beside its rows.
     */
    private static final int FEW_COORDINATES = 2 * Kernels.LANES + 3;

    /** Rows, for kernels that process eight, four and one at a time. */
    private static final int ROWS = 13;

    /** Rows of a column that is sorted: merges of every kind, the last of runs unlike in length. */
    private static final int COLUMN = 1104;

    /** Calls until the compiler begins: it wants 600 of them, and 15,000 with passes of a loop. */
    private static final int CALLS = 800;

    /**
     * Turns in which all kernels have their calls, so that the compiler has the first ones early.
     */
    private static final int TURNS = 16;

    private static final int ROUNDS = 600;
    private static final int ROUND_ROWS = 11;
    private static final int ROUND_LENGTH = Kernels.CHUNK + 100;

    /** Calls that show that a kernel is compiled. */
    private static final int QUIET = 3;

    /** Bytes that such a call may allocate: less than a vector in each pass of a loop. */
    private static final int FEW = 1024;

    /** Pauses in which the compiler works, ever longer ones; three minutes in all. */
    private static final int PAUSES = 2000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Kernels kernels;
    private final float[][] rows = new float[ROWS][LENGTH];
    private final Rows x = new Rows(rows, new int[ROWS], LENGTH);
    private final Rows few = new Rows(rows, new int[ROWS], FEW_COORDINATES);
    private final float[] lanes = new float[Kernels.lanesFor(ROWS)];
    private final float[] tile = new float[Kernels.TILE];
    private final double[] weights = new double[ROWS];
    private final double[] sums = new double[LENGTH];
    private final double[] nearest = new double[LENGTH];
    private final double[] start = new double[LENGTH];
    private final int[][] keys = new int[4][LENGTH];
    private boolean fresh;

    WarmUp(Kernels kernels) {
        this.kernels = kernels;
        for (int i = 0; i < LENGTH; i++) {
            for (int r = 0; r < ROWS; r++) {
                rows[r][i] = i % 7 - r;
            }
        }
        Arrays.fill(weights, 0.5);
    }

    /**
     * Runs kernels of these kinds in turn. Returns when all are compiled, or after three minutes.
     *
     * @param compiled is told of each kind when it is compiled
     */
    void run(Collection<Kind> kinds, Consumer<Kind> compiled) {
        Map<Kind, List<Runnable>> pending = new EnumMap<>(Kind.class);
        kinds.forEach(kind -> pending.put(kind, new ArrayList<>(exercises(kind))));
        for (int turn = 0; turn < TURNS; turn++) {
            pending.forEach(WarmUp::repeat);
        }
        for (int pause = 0; pause < PAUSES && !pending.isEmpty(); pause++) {
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
    }

    private List<Runnable> exercises(Kind kind) {
        return switch (kind) {
            case SUMS ->
                    List.of(
                            this::add,
                            () -> kernels.combine(null, few, ROWS, 3, rows[1], 0),
                            () -> kernels.combine(weights, few, ROWS, 3, rows[1], 0),
                            () -> kernels.meanOfRanks(keys, 0, 3, LENGTH, rows[1], 0),
                            this::divide,
                            () -> kernels.subtract(x, 4, 5, rows[2], 0),
                            () -> kernels.finite(rows[2], 0, LENGTH));
            case RANKS ->
                    List.of(
                            () -> kernels.toKeys(rows[3], 0, LENGTH, keys[0]),
                            () -> kernels.exchange(keys[0], keys[1], keys[2], keys[3], LENGTH),
                            () -> kernels.exchange(keys[0], keys[1], LENGTH),
                            () -> kernels.fromKeys(keys[0], LENGTH, rows[3], 0));
            case PAIRS ->
                    List.of(
                            () -> kernels.tileOfDistances(x, 0, 3, tile, 0),
                            () -> kernels.distances(x, 0, 1, 5, lanes),
                            () -> kernels.tileOfProducts(x, 0, 3, tile, 0),
                            () -> kernels.products(x, 0, 1, 5, lanes));
            case COLUMNS -> columns();
            case BUFFERS -> buffers();
            case WINDOWS ->
                    List.of(
                            () ->
                                    kernels.chooseStart(
                                            rows[4], rows[5], sums, 1, LENGTH, nearest, start),
                            () -> kernels.addWindow(rows[4], start, 1, 2, LENGTH, sums));
        };
    }

    private void add() {
        fresh = !fresh;
        kernels.add(x, 0, ROWS, sums, fresh);
    }

    /** One of the quotients lies half-way between two floats, which takes longer. */
    private void divide() {
        sums[5] = 3 * (1 + 0x1p-24);
        kernels.divide(sums, 3, LENGTH, rows[1], 0);
    }

    private List<Runnable> buffers() {
        ByteBuffer[] memory = new ByteBuffer[ROWS];
        Arrays.setAll(
                memory,
                r ->
                        ByteBuffer.allocateDirect(FEW_COORDINATES * Float.BYTES)
                                .order(ByteOrder.nativeOrder()));
        return List.of(
                () -> kernels.combine(null, memory, 0, FEW_COORDINATES, 3, rows[1], 0),
                () -> kernels.combine(weights, memory, 0, FEW_COORDINATES, 3, rows[1], 0));
    }

    private List<Runnable> columns() {
        int[][] columns = new int[COLUMN][Kernels.LANES];
        int[] scratch = new int[Kernels.scratchFor(COLUMN)];
        double[] ranks = new double[Kernels.LANES];
        return List.of(
                () -> kernels.sort(columns, 0, COLUMN - 1, Kernels.LANES, scratch),
                () -> kernels.sumOfRanks(columns, 9, COLUMN - 9, Kernels.LANES, scratch, ranks));
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
