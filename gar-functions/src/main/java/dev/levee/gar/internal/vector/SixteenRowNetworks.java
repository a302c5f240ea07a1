package dev.levee.gar.internal.vector;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sorts sixteen rows at a time in registers. A register holds one row's values of some columns. A
 * comparator is a minimum and a maximum. In a variable's name, the letter is the layer and the
 * number is the row.
 */
final class SixteenRowNetworks {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;

    /** Number of columns in a register. */
    private static final int L = INTS.length();

    private SixteenRowNetworks() {}

    /**
     * Sorts each group of sixteen rows, from row {@code from} to row {@code to}, with Green's
     * network of 60 comparators (Knuth, The Art of Computer Programming 3, section 5.3.4, figure
     * 49).
     */
    static void sort(int[] keys, int from, int to) {
        for (int o = from * L; o < to * L; o += 16 * L) {
            IntVector x0 = row(keys, o);
            IntVector x1 = row(keys, o + L);
            IntVector a0 = x0.min(x1);
            IntVector a1 = x0.max(x1);
            IntVector x2 = row(keys, o + 2 * L);
            IntVector x3 = row(keys, o + 3 * L);
            IntVector a2 = x2.min(x3);
            IntVector a3 = x2.max(x3);
            IntVector x4 = row(keys, o + 4 * L);
            IntVector x5 = row(keys, o + 5 * L);
            IntVector a4 = x4.min(x5);
            IntVector a5 = x4.max(x5);
            IntVector x6 = row(keys, o + 6 * L);
            IntVector x7 = row(keys, o + 7 * L);
            IntVector a6 = x6.min(x7);
            IntVector a7 = x6.max(x7);
            IntVector x8 = row(keys, o + 8 * L);
            IntVector x9 = row(keys, o + 9 * L);
            IntVector a8 = x8.min(x9);
            IntVector a9 = x8.max(x9);
            IntVector x10 = row(keys, o + 10 * L);
            IntVector x11 = row(keys, o + 11 * L);
            IntVector a10 = x10.min(x11);
            IntVector a11 = x10.max(x11);
            IntVector x12 = row(keys, o + 12 * L);
            IntVector x13 = row(keys, o + 13 * L);
            IntVector a12 = x12.min(x13);
            IntVector a13 = x12.max(x13);
            IntVector x14 = row(keys, o + 14 * L);
            IntVector x15 = row(keys, o + 15 * L);
            IntVector a14 = x14.min(x15);
            IntVector a15 = x14.max(x15);
            IntVector b0 = a0.min(a2);
            IntVector b2 = a0.max(a2);
            IntVector b1 = a1.min(a3);
            IntVector b3 = a1.max(a3);
            IntVector b4 = a4.min(a6);
            IntVector b6 = a4.max(a6);
            IntVector b5 = a5.min(a7);
            IntVector b7 = a5.max(a7);
            IntVector b8 = a8.min(a10);
            IntVector b10 = a8.max(a10);
            IntVector b9 = a9.min(a11);
            IntVector b11 = a9.max(a11);
            IntVector b12 = a12.min(a14);
            IntVector b14 = a12.max(a14);
            IntVector b13 = a13.min(a15);
            IntVector b15 = a13.max(a15);
            IntVector c0 = b0.min(b4);
            IntVector c4 = b0.max(b4);
            IntVector c1 = b1.min(b5);
            IntVector c5 = b1.max(b5);
            IntVector c2 = b2.min(b6);
            IntVector c6 = b2.max(b6);
            IntVector c3 = b3.min(b7);
            IntVector c7 = b3.max(b7);
            IntVector c8 = b8.min(b12);
            IntVector c12 = b8.max(b12);
            IntVector c9 = b9.min(b13);
            IntVector c13 = b9.max(b13);
            IntVector c10 = b10.min(b14);
            IntVector c14 = b10.max(b14);
            IntVector c11 = b11.min(b15);
            IntVector c15 = b11.max(b15);
            c0.min(c8).intoArray(keys, o);
            IntVector d8 = c0.max(c8);
            IntVector d1 = c1.min(c9);
            IntVector d9 = c1.max(c9);
            IntVector d2 = c2.min(c10);
            IntVector d10 = c2.max(c10);
            IntVector d3 = c3.min(c11);
            IntVector d11 = c3.max(c11);
            IntVector d4 = c4.min(c12);
            IntVector d12 = c4.max(c12);
            IntVector d5 = c5.min(c13);
            IntVector d13 = c5.max(c13);
            IntVector d6 = c6.min(c14);
            IntVector d14 = c6.max(c14);
            IntVector d7 = c7.min(c15);
            c7.max(c15).intoArray(keys, o + 15 * L);
            IntVector e5 = d5.min(d10);
            IntVector e10 = d5.max(d10);
            IntVector e6 = d6.min(d9);
            IntVector e9 = d6.max(d9);
            IntVector e3 = d3.min(d12);
            IntVector e12 = d3.max(d12);
            IntVector e13 = d13.min(d14);
            IntVector e14 = d13.max(d14);
            IntVector e4 = d4.min(d8);
            IntVector e8 = d4.max(d8);
            IntVector e7 = d7.min(d11);
            IntVector e11 = d7.max(d11);
            IntVector e1 = d1.min(d2);
            IntVector e2 = d1.max(d2);
            e1.min(e4).intoArray(keys, o + L);
            IntVector f4 = e1.max(e4);
            IntVector f7 = e7.min(e13);
            IntVector f13 = e7.max(e13);
            IntVector f2 = e2.min(e8);
            IntVector f8 = e2.max(e8);
            IntVector f11 = e11.min(e14);
            e11.max(e14).intoArray(keys, o + 14 * L);
            f2.min(f4).intoArray(keys, o + 2 * L);
            IntVector g4 = f2.max(f4);
            IntVector g5 = e5.min(e6);
            IntVector g6 = e5.max(e6);
            IntVector g9 = e9.min(e10);
            IntVector g10 = e9.max(e10);
            IntVector g11 = f11.min(f13);
            f11.max(f13).intoArray(keys, o + 13 * L);
            IntVector g3 = e3.min(f8);
            IntVector g8 = e3.max(f8);
            IntVector g7 = f7.min(e12);
            IntVector g12 = f7.max(e12);
            IntVector h6 = g6.min(g8);
            IntVector h8 = g6.max(g8);
            IntVector h10 = g10.min(g12);
            IntVector h12 = g10.max(g12);
            IntVector h3 = g3.min(g5);
            IntVector h5 = g3.max(g5);
            IntVector h7 = g7.min(g9);
            IntVector h9 = g7.max(g9);
            h3.min(g4).intoArray(keys, o + 3 * L);
            h3.max(g4).intoArray(keys, o + 4 * L);
            h5.min(h6).intoArray(keys, o + 5 * L);
            IntVector i6 = h5.max(h6);
            IntVector i7 = h7.min(h8);
            IntVector i8 = h7.max(h8);
            IntVector i9 = h9.min(h10);
            h9.max(h10).intoArray(keys, o + 10 * L);
            g11.min(h12).intoArray(keys, o + 11 * L);
            g11.max(h12).intoArray(keys, o + 12 * L);
            i6.min(i7).intoArray(keys, o + 6 * L);
            i6.max(i7).intoArray(keys, o + 7 * L);
            i8.min(i9).intoArray(keys, o + 8 * L);
            i8.max(i9).intoArray(keys, o + 9 * L);
        }
    }

    /**
     * Sorts each group of sixteen bitonic rows, from row {@code from} to row {@code to}. These are
     * the last four layers of a merge.
     */
    static void merge(int[] keys, int from, int to) {
        for (int o = from * L; o < to * L; o += 16 * L) {
            IntVector x0 = row(keys, o);
            IntVector x8 = row(keys, o + 8 * L);
            IntVector a0 = x0.min(x8);
            IntVector a8 = x0.max(x8);
            IntVector x1 = row(keys, o + L);
            IntVector x9 = row(keys, o + 9 * L);
            IntVector a1 = x1.min(x9);
            IntVector a9 = x1.max(x9);
            IntVector x2 = row(keys, o + 2 * L);
            IntVector x10 = row(keys, o + 10 * L);
            IntVector a2 = x2.min(x10);
            IntVector a10 = x2.max(x10);
            IntVector x3 = row(keys, o + 3 * L);
            IntVector x11 = row(keys, o + 11 * L);
            IntVector a3 = x3.min(x11);
            IntVector a11 = x3.max(x11);
            IntVector x4 = row(keys, o + 4 * L);
            IntVector x12 = row(keys, o + 12 * L);
            IntVector a4 = x4.min(x12);
            IntVector a12 = x4.max(x12);
            IntVector x5 = row(keys, o + 5 * L);
            IntVector x13 = row(keys, o + 13 * L);
            IntVector a5 = x5.min(x13);
            IntVector a13 = x5.max(x13);
            IntVector x6 = row(keys, o + 6 * L);
            IntVector x14 = row(keys, o + 14 * L);
            IntVector a6 = x6.min(x14);
            IntVector a14 = x6.max(x14);
            IntVector x7 = row(keys, o + 7 * L);
            IntVector x15 = row(keys, o + 15 * L);
            IntVector a7 = x7.min(x15);
            IntVector a15 = x7.max(x15);
            IntVector b0 = a0.min(a4);
            IntVector b4 = a0.max(a4);
            IntVector b1 = a1.min(a5);
            IntVector b5 = a1.max(a5);
            IntVector b2 = a2.min(a6);
            IntVector b6 = a2.max(a6);
            IntVector b3 = a3.min(a7);
            IntVector b7 = a3.max(a7);
            IntVector b8 = a8.min(a12);
            IntVector b12 = a8.max(a12);
            IntVector b9 = a9.min(a13);
            IntVector b13 = a9.max(a13);
            IntVector b10 = a10.min(a14);
            IntVector b14 = a10.max(a14);
            IntVector b11 = a11.min(a15);
            IntVector b15 = a11.max(a15);
            IntVector c0 = b0.min(b2);
            IntVector c2 = b0.max(b2);
            IntVector c1 = b1.min(b3);
            IntVector c3 = b1.max(b3);
            IntVector c4 = b4.min(b6);
            IntVector c6 = b4.max(b6);
            IntVector c5 = b5.min(b7);
            IntVector c7 = b5.max(b7);
            IntVector c8 = b8.min(b10);
            IntVector c10 = b8.max(b10);
            IntVector c9 = b9.min(b11);
            IntVector c11 = b9.max(b11);
            IntVector c12 = b12.min(b14);
            IntVector c14 = b12.max(b14);
            IntVector c13 = b13.min(b15);
            IntVector c15 = b13.max(b15);
            c0.min(c1).intoArray(keys, o);
            c0.max(c1).intoArray(keys, o + L);
            c2.min(c3).intoArray(keys, o + 2 * L);
            c2.max(c3).intoArray(keys, o + 3 * L);
            c4.min(c5).intoArray(keys, o + 4 * L);
            c4.max(c5).intoArray(keys, o + 5 * L);
            c6.min(c7).intoArray(keys, o + 6 * L);
            c6.max(c7).intoArray(keys, o + 7 * L);
            c8.min(c9).intoArray(keys, o + 8 * L);
            c8.max(c9).intoArray(keys, o + 9 * L);
            c10.min(c11).intoArray(keys, o + 10 * L);
            c10.max(c11).intoArray(keys, o + 11 * L);
            c12.min(c13).intoArray(keys, o + 12 * L);
            c12.max(c13).intoArray(keys, o + 13 * L);
            c14.min(c15).intoArray(keys, o + 14 * L);
            c14.max(c15).intoArray(keys, o + 15 * L);
        }
    }

    private static IntVector row(int[] keys, int at) {
        return IntVector.fromArray(INTS, keys, at);
    }
}
