package dev.levee.benchmarks;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

import java.util.Arrays;
import java.util.Locale;

/**
 * Measures the limits of this machine, from which the limits of other figures follow: bytes and
 * operations per second of one thread. The best of {@value #TURNS} turns counts.
 */
public final class Peaks {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));
    private static final int L = FLOATS.length();
    private static final int TURNS = 7;

    /** Number of floats that exceeds the caches: 256 MB. */
    private static final int MANY = 1 << 26;

    /** Number of floats that fill half of the first-level cache. */
    private static final int FEW = 1 << 12;

    private static final int PASSES = 50_000;

    /** Operations on each loaded vector, so that loads do not limit the speed. */
    private static final int UNROLLED = 8;

    private static float sink;

    private Peaks() {}

    private interface Loop {
        float run(int call);
    }

    /** Takes no arguments. */
    public static void main(String[] args) {
        Machine.print();
        System.out.printf("one thread, best of %d turns%n%n| what | |%n|---|---|%n", TURNS);
        float[] many = new float[MANY];
        float[] more = new float[MANY];
        double bytes = (double) Float.BYTES * MANY;
        print("bytes read, GB/s", bytes / best(MANY / FEW, call -> read(many, call * FEW)) / 1e9);
        print("bytes written, GB/s", bytes / best(1, call -> fill(more)) / 1e9);
        print(
                "bytes copied, read and written, GB/s",
                2 * bytes / best(1, call -> copy(many, more)) / 1e9);
        // Called often, so that the loops are compiled as a whole and vectors need no objects.
        float[] few = Arrays.copyOf(many, FEW);
        int[] keys = new int[FEW];
        double values = (double) FEW * PASSES * UNROLLED;
        print(
                "products rounded, then added, 1e9 a second",
                values / best(PASSES, call -> multiplied(few)) / 1e9);
        print("fused multiply-adds, 1e9 a second", values / best(PASSES, call -> fused(few)) / 1e9);
        print(
                "squares of differences added, 1e9 a second",
                values / 2 / best(PASSES, call -> squares(few)) / 1e9);
        print("minima of ints, 1e9 a second", values / best(PASSES, call -> minima(keys)) / 1e9);
        print(
                "floats widened and added, 1e9 a second",
                values / UNROLLED / best(PASSES, call -> widened(few)) / 1e9);
        if (Float.isNaN(sink)) {
            throw new AssertionError("sums are of finite values");
        }
    }

    private static void print(String what, double value) {
        System.out.printf(Locale.ROOT, "| %s | %.1f |%n", what, value);
    }

    private static double best(int calls, Loop loop) {
        double least = Double.MAX_VALUE;
        for (int turn = 0; turn < TURNS; turn++) {
            long start = System.nanoTime();
            for (int call = 0; call < calls; call++) {
                sink += loop.run(call);
            }
            least = Math.min(least, (System.nanoTime() - start) / 1e9);
        }
        return least;
    }

    private static float read(float[] x, int from) {
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = a;
        FloatVector c = a;
        FloatVector d = a;
        for (int i = from; i < from + FEW; i += 4 * L) {
            a = a.add(FloatVector.fromArray(FLOATS, x, i));
            b = b.add(FloatVector.fromArray(FLOATS, x, i + L));
            c = c.add(FloatVector.fromArray(FLOATS, x, i + 2 * L));
            d = d.add(FloatVector.fromArray(FLOATS, x, i + 3 * L));
        }
        return sum(a, b, c, d);
    }

    private static float fill(float[] x) {
        Arrays.fill(x, 1);
        return x[0];
    }

    private static float copy(float[] from, float[] to) {
        System.arraycopy(from, 0, to, 0, from.length);
        return to[0];
    }

    private static float sum(FloatVector a, FloatVector b, FloatVector c, FloatVector d) {
        return a.add(b).add(c.add(d)).reduceLanes(VectorOperators.ADD);
    }

    private static float multiplied(float[] x) {
        FloatVector k0 = FloatVector.broadcast(FLOATS, 0.5f);
        FloatVector k1 = FloatVector.broadcast(FLOATS, 1.5f);
        FloatVector k2 = FloatVector.broadcast(FLOATS, 2.5f);
        FloatVector k3 = FloatVector.broadcast(FLOATS, 3.5f);
        FloatVector k4 = FloatVector.broadcast(FLOATS, 4.5f);
        FloatVector k5 = FloatVector.broadcast(FLOATS, 5.5f);
        FloatVector k6 = FloatVector.broadcast(FLOATS, 6.5f);
        FloatVector k7 = FloatVector.broadcast(FLOATS, 7.5f);
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = a;
        FloatVector c = a;
        FloatVector d = a;
        FloatVector e = a;
        FloatVector f = a;
        FloatVector g = a;
        FloatVector h = a;
        for (int i = 0; i < FEW; i += L) {
            FloatVector y = FloatVector.fromArray(FLOATS, x, i);
            a = a.add(y.mul(k0));
            b = b.add(y.mul(k1));
            c = c.add(y.mul(k2));
            d = d.add(y.mul(k3));
            e = e.add(y.mul(k4));
            f = f.add(y.mul(k5));
            g = g.add(y.mul(k6));
            h = h.add(y.mul(k7));
        }
        return sum(a, b, c, d) + sum(e, f, g, h);
    }

    private static float fused(float[] x) {
        FloatVector k0 = FloatVector.broadcast(FLOATS, 0.5f);
        FloatVector k1 = FloatVector.broadcast(FLOATS, 1.5f);
        FloatVector k2 = FloatVector.broadcast(FLOATS, 2.5f);
        FloatVector k3 = FloatVector.broadcast(FLOATS, 3.5f);
        FloatVector k4 = FloatVector.broadcast(FLOATS, 4.5f);
        FloatVector k5 = FloatVector.broadcast(FLOATS, 5.5f);
        FloatVector k6 = FloatVector.broadcast(FLOATS, 6.5f);
        FloatVector k7 = FloatVector.broadcast(FLOATS, 7.5f);
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = a;
        FloatVector c = a;
        FloatVector d = a;
        FloatVector e = a;
        FloatVector f = a;
        FloatVector g = a;
        FloatVector h = a;
        for (int i = 0; i < FEW; i += L) {
            FloatVector y = FloatVector.fromArray(FLOATS, x, i);
            a = y.fma(k0, a);
            b = y.fma(k1, b);
            c = y.fma(k2, c);
            d = y.fma(k3, d);
            e = y.fma(k4, e);
            f = y.fma(k5, f);
            g = y.fma(k6, g);
            h = y.fma(k7, h);
        }
        return sum(a, b, c, d) + sum(e, f, g, h);
    }

    /**
     * Uses half as many operations as the other loops: with more, the compiler does not compile the
     * loop as a whole.
     */
    private static float squares(float[] x) {
        FloatVector k0 = FloatVector.broadcast(FLOATS, 0.5f);
        FloatVector k1 = FloatVector.broadcast(FLOATS, 1.5f);
        FloatVector k2 = FloatVector.broadcast(FLOATS, 2.5f);
        FloatVector k3 = FloatVector.broadcast(FLOATS, 3.5f);
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = a;
        FloatVector c = a;
        FloatVector d = a;
        for (int i = 0; i < FEW; i += L) {
            FloatVector y = FloatVector.fromArray(FLOATS, x, i);
            FloatVector p = y.sub(k0);
            FloatVector q = y.sub(k1);
            FloatVector r = y.sub(k2);
            FloatVector t = y.sub(k3);
            a = a.add(p.mul(p));
            b = b.add(q.mul(q));
            c = c.add(r.mul(r));
            d = d.add(t.mul(t));
        }
        return sum(a, b, c, d);
    }

    private static float minima(int[] x) {
        IntVector a = IntVector.broadcast(INTS, 1);
        IntVector b = IntVector.broadcast(INTS, 2);
        IntVector c = IntVector.broadcast(INTS, 3);
        IntVector d = IntVector.broadcast(INTS, 4);
        IntVector e = IntVector.broadcast(INTS, 5);
        IntVector f = IntVector.broadcast(INTS, 6);
        IntVector g = IntVector.broadcast(INTS, 7);
        IntVector h = IntVector.broadcast(INTS, 8);
        for (int i = 0; i < FEW; i += L) {
            IntVector y = IntVector.fromArray(INTS, x, i);
            a = a.min(y);
            b = b.min(y);
            c = c.min(y);
            d = d.min(y);
            e = e.min(y);
            f = f.min(y);
            g = g.min(y);
            h = h.min(y);
        }
        return a.add(b).add(c).add(d).add(e).add(f).add(g).add(h).reduceLanes(VectorOperators.ADD);
    }

    private static float widened(float[] x) {
        DoubleVector a = DoubleVector.zero(DOUBLES);
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        for (int i = 0; i < FEW; i += 2 * L) {
            a = a.add(wide(x, i));
            b = b.add(wide(x, i + L / 2));
            c = c.add(wide(x, i + L));
            d = d.add(wide(x, i + L + L / 2));
        }
        return (float) a.add(b).add(c.add(d)).reduceLanes(VectorOperators.ADD);
    }

    private static DoubleVector wide(float[] x, int at) {
        return (DoubleVector)
                FloatVector.fromArray(HALF, x, at).convertShape(VectorOperators.F2D, DOUBLES, 0);
    }
}
