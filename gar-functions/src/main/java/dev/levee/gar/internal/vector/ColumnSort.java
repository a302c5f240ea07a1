package dev.levee.gar.internal.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.util.Arrays;

/**
 * Sorts columns of ints by bitonic merges (Batcher, "Sorting networks and their applications",
 * 1968), one register of columns at a time. It first sorts groups of sixteen rows in registers,
 * then merges runs of 16, 32, 64 … rows. A merge first compares rows mirrored about the boundary of
 * two runs, then rows half as far apart in each half, and so on. Every comparator puts the smaller
 * value into the lower row, so rows missing at the end of the last run act as infinite values. Up
 * to three layers run each time that values are in registers.
 */
final class ColumnSort {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Double> DOUBLES =
            VectorSpecies.of(double.class, INTS.vectorShape());

    /** Number of columns in a register. */
    private static final int L = INTS.length();

    private final int[] keys;
    private final int rows;
    private final int low;
    private final int high;

    /**
     * Prepares to sort one register of columns.
     *
     * @param keys {@code rows} rows, one after another
     * @param rows a multiple of 16
     * @param low the first rank that must be in its place
     * @param high the last rank that must be in its place
     */
    private ColumnSort(int[] keys, int rows, int low, int high) {
        this.keys = keys;
        this.rows = rows;
        this.low = low;
        this.high = high;
    }

    /**
     * Sorts each column partially: afterwards, rows {@code low} to {@code high} have the values of
     * these ranks.
     *
     * @param columns number of columns; sorting rounds up to a full register
     * @param scratch one register for each row, rounded up to a multiple of 16
     */
    static void sort(int[][] keys, int low, int high, int columns, int[] scratch) {
        ColumnSort sort = new ColumnSort(scratch, padded(keys), low, high);
        for (int c = 0; c < columns; c += L) {
            sort.run(keys, c);
            for (int r = low; r <= high; r++) {
                row(scratch, r * L).intoArray(keys[r], c);
            }
        }
    }

    /** Adds the floats at these ranks of each column; the parameters are those of {@link #sort}. */
    static void sum(int[][] keys, int low, int high, int columns, int[] scratch, double[] sums) {
        ColumnSort sort = new ColumnSort(scratch, padded(keys), low, high);
        for (int c = 0; c < columns; c += L) {
            sort.run(keys, c);
            add(scratch, low, high, sums, c);
        }
    }

    private static void add(int[] keys, int low, int high, double[] sums, int at) {
        DoubleVector lower = DoubleVector.zero(DOUBLES);
        DoubleVector upper = DoubleVector.zero(DOUBLES);
        for (int o = low * L; o <= high * L; o += L) {
            FloatVector values = VectorOps.flip(row(keys, o)).reinterpretAsFloats();
            lower = lower.add(values.convertShape(VectorOperators.F2D, DOUBLES, 0));
            upper = upper.add(values.convertShape(VectorOperators.F2D, DOUBLES, 1));
        }
        lower.intoArray(sums, at);
        upper.intoArray(sums, at + L / 2);
    }

    private static int padded(int[][] keys) {
        return (keys.length + 15) / 16 * 16;
    }

    private void run(int[][] from, int column) {
        for (int r = 0; r < from.length; r++) {
            row(from[r], column).intoArray(keys, r * L);
        }
        Arrays.fill(keys, from.length * L, rows * L, Integer.MAX_VALUE);
        run();
    }

    private void run() {
        SixteenRowNetworks.sort(keys, 0, rows);
        for (int size = 32; size / 2 < rows; size *= 2) {
            for (int at = 0; at + size / 2 < rows; at += size) {
                merge(at, size, size >= rows);
            }
        }
    }

    /**
     * Merges two runs that begin at row {@code at}. The last merge skips ranks that are not needed.
     */
    private void merge(int at, int size, boolean last) {
        int parts = at + size > rows || size == 32 ? 2 : size == 64 ? 4 : 8;
        switch (parts) {
            case 2 -> mirrored(keys, at, size, rows);
            case 4 -> mirroredTwice(keys, at, size);
            default -> mirroredThrice(keys, at, size);
        }
        parts(at, size / parts, parts, last);
    }

    private void parts(int at, int size, int parts, boolean last) {
        if (size == 16 && !last) {
            SixteenRowNetworks.merge(keys, at, at + parts * size);
            return;
        }
        for (int p = 0; p < parts; p++) {
            int part = at + p * size;
            if (part < rows && !(last && (part > high || part + size <= low))) {
                clean(part, size, last);
            }
        }
    }

    /** Sorts rows whose columns are bitonic. */
    private void clean(int at, int size, boolean last) {
        int left = rows - at;
        if (size == 16) {
            SixteenRowNetworks.merge(keys, at, at + 16);
        } else if (left <= size / 2) {
            clean(at, size / 2, last);
        } else if (left < size || size == 32) {
            once(keys, at, size / 2, Math.min(size / 2, left - size / 2));
            parts(at, size / 2, 2, last);
        } else if (size == 64) {
            twice(keys, at, 16);
            parts(at, 16, 4, last);
        } else {
            thrice(keys, at, size / 8);
            parts(at, size / 8, 8, last);
        }
    }

    /** The first layer of a merge. */
    private static void mirrored(int[] keys, int at, int size, int rows) {
        int lower = (at + size / 2 - 1) * L;
        int upper = (at + size / 2) * L;
        int end = (Math.min(rows, at + size) - (at + size / 2)) * L;
        for (int i = 0; i < end; i += L) {
            IntVector x = row(keys, lower - i);
            IntVector y = row(keys, upper + i);
            x.min(y).intoArray(keys, lower - i);
            x.max(y).intoArray(keys, upper + i);
        }
    }

    /** The first two layers of a merge. */
    private static void mirroredTwice(int[] keys, int at, int size) {
        int end = size / 4 * L;
        int o0 = at * L;
        int o1 = o0 + end;
        int o3 = (at + size - 1) * L;
        int o2 = o3 - end;
        for (int i = 0; i < end; i += L) {
            IntVector x0 = row(keys, o0 + i);
            IntVector x3 = row(keys, o3 - i);
            IntVector x1 = row(keys, o1 + i);
            IntVector x2 = row(keys, o2 - i);
            IntVector a0 = x0.min(x3);
            IntVector a3 = x0.max(x3);
            IntVector a1 = x1.min(x2);
            IntVector a2 = x1.max(x2);
            a0.min(a1).intoArray(keys, o0 + i);
            a0.max(a1).intoArray(keys, o1 + i);
            a2.min(a3).intoArray(keys, o2 - i);
            a2.max(a3).intoArray(keys, o3 - i);
        }
    }

    /** The first three layers of a merge. */
    private static void mirroredThrice(int[] keys, int at, int size) {
        int end = size / 8 * L;
        int o0 = at * L;
        int o1 = o0 + end;
        int o2 = o1 + end;
        int o3 = o2 + end;
        int o7 = (at + size - 1) * L;
        int o6 = o7 - end;
        int o5 = o6 - end;
        int o4 = o5 - end;
        for (int i = 0; i < end; i += L) {
            IntVector x0 = row(keys, o0 + i);
            IntVector x7 = row(keys, o7 - i);
            IntVector a0 = x0.min(x7);
            IntVector a7 = x0.max(x7);
            IntVector x2 = row(keys, o2 + i);
            IntVector x5 = row(keys, o5 - i);
            IntVector a2 = x2.min(x5);
            IntVector a5 = x2.max(x5);
            IntVector x1 = row(keys, o1 + i);
            IntVector x6 = row(keys, o6 - i);
            IntVector a1 = x1.min(x6);
            IntVector a6 = x1.max(x6);
            IntVector x3 = row(keys, o3 + i);
            IntVector x4 = row(keys, o4 - i);
            IntVector a3 = x3.min(x4);
            IntVector a4 = x3.max(x4);
            IntVector b0 = a0.min(a2);
            IntVector b2 = a0.max(a2);
            IntVector b1 = a1.min(a3);
            IntVector b3 = a1.max(a3);
            b0.min(b1).intoArray(keys, o0 + i);
            b0.max(b1).intoArray(keys, o1 + i);
            b2.min(b3).intoArray(keys, o2 + i);
            b2.max(b3).intoArray(keys, o3 + i);
            IntVector b4 = a4.min(a6);
            IntVector b6 = a4.max(a6);
            IntVector b5 = a5.min(a7);
            IntVector b7 = a5.max(a7);
            b4.min(b5).intoArray(keys, o4 - i);
            b4.max(b5).intoArray(keys, o5 - i);
            b6.min(b7).intoArray(keys, o6 - i);
            b6.max(b7).intoArray(keys, o7 - i);
        }
    }

    /** One layer: compares {@code count} rows with the rows {@code apart} rows later. */
    private static void once(int[] keys, int at, int apart, int count) {
        int o0 = at * L;
        int o1 = o0 + apart * L;
        for (int i = 0; i < count * L; i += L) {
            IntVector x = row(keys, o0 + i);
            IntVector y = row(keys, o1 + i);
            x.min(y).intoArray(keys, o0 + i);
            x.max(y).intoArray(keys, o1 + i);
        }
    }

    /**
     * Two layers: compares rows that are 2·{@code apart} apart, then rows that are {@code apart}
     * apart.
     */
    private static void twice(int[] keys, int at, int apart) {
        int end = apart * L;
        int o0 = at * L;
        int o1 = o0 + end;
        int o2 = o1 + end;
        int o3 = o2 + end;
        for (int i = 0; i < end; i += L) {
            IntVector x0 = row(keys, o0 + i);
            IntVector x2 = row(keys, o2 + i);
            IntVector x1 = row(keys, o1 + i);
            IntVector x3 = row(keys, o3 + i);
            IntVector a0 = x0.min(x2);
            IntVector a2 = x0.max(x2);
            IntVector a1 = x1.min(x3);
            IntVector a3 = x1.max(x3);
            a0.min(a1).intoArray(keys, o0 + i);
            a0.max(a1).intoArray(keys, o1 + i);
            a2.min(a3).intoArray(keys, o2 + i);
            a2.max(a3).intoArray(keys, o3 + i);
        }
    }

    /**
     * Three layers: compares rows that are 4·{@code apart} apart, then 2·{@code apart}, then {@code
     * apart}.
     */
    private static void thrice(int[] keys, int at, int apart) {
        int end = apart * L;
        int o0 = at * L;
        int o1 = o0 + end;
        int o2 = o1 + end;
        int o3 = o2 + end;
        int o4 = o3 + end;
        int o5 = o4 + end;
        int o6 = o5 + end;
        int o7 = o6 + end;
        for (int i = 0; i < end; i += L) {
            IntVector x0 = row(keys, o0 + i);
            IntVector x4 = row(keys, o4 + i);
            IntVector a0 = x0.min(x4);
            IntVector a4 = x0.max(x4);
            IntVector x2 = row(keys, o2 + i);
            IntVector x6 = row(keys, o6 + i);
            IntVector a2 = x2.min(x6);
            IntVector a6 = x2.max(x6);
            IntVector x1 = row(keys, o1 + i);
            IntVector x5 = row(keys, o5 + i);
            IntVector a1 = x1.min(x5);
            IntVector a5 = x1.max(x5);
            IntVector x3 = row(keys, o3 + i);
            IntVector x7 = row(keys, o7 + i);
            IntVector a3 = x3.min(x7);
            IntVector a7 = x3.max(x7);
            IntVector b0 = a0.min(a2);
            IntVector b2 = a0.max(a2);
            IntVector b1 = a1.min(a3);
            IntVector b3 = a1.max(a3);
            b0.min(b1).intoArray(keys, o0 + i);
            b0.max(b1).intoArray(keys, o1 + i);
            b2.min(b3).intoArray(keys, o2 + i);
            b2.max(b3).intoArray(keys, o3 + i);
            IntVector b4 = a4.min(a6);
            IntVector b6 = a4.max(a6);
            IntVector b5 = a5.min(a7);
            IntVector b7 = a5.max(a7);
            b4.min(b5).intoArray(keys, o4 + i);
            b4.max(b5).intoArray(keys, o5 + i);
            b6.min(b7).intoArray(keys, o6 + i);
            b6.max(b7).intoArray(keys, o7 + i);
        }
    }

    private static IntVector row(int[] keys, int at) {
        return IntVector.fromArray(INTS, keys, at);
    }
}
