package dev.levee.gar.internal.vector;

import dev.levee.gar.internal.Kernels;
import dev.levee.gar.internal.PlainKernels;
import dev.levee.gar.internal.PlainSums;
import dev.levee.gar.internal.Rows;
import dev.levee.gar.internal.SortingNetwork;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.nio.ByteBuffer;

/**
 * {@link Kernels} in the Vector API, with the machine's register width. The remainder of a row uses
 * scalar code. A JVM flag keeps the compiler from inlining methods of this class, so helpers are in
 * {@link VectorOps}.
 */
public final class VectorKernels implements Kernels {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Integer> INTS =
            VectorSpecies.of(int.class, DOUBLES.vectorShape());
    static final VectorSpecies<Float> FLOATS = VectorSpecies.of(float.class, DOUBLES.vectorShape());

    private final PlainKernels plain = new PlainKernels();
    private final Networks networks = new Networks();

    /**
     * Throws an exception if the machine's registers are too narrow to help, or wider than the
     * lanes.
     */
    public VectorKernels() {
        if (FLOATS.length() < 4 || FLOATS.length() > LANES) {
            throw new UnsupportedOperationException("vectors of " + FLOATS.length() + " floats");
        }
    }

    @Override
    public void distances(Rows x, int a, int first, int count, float[] lanes) {
        int whole = x.length() / LANES * LANES;
        DistanceSums.sum(x, a, first, count, whole, lanes);
        if (whole < x.length()) {
            plain.addDistances(x, a, first, count, whole, lanes);
        }
    }

    @Override
    public void products(Rows x, int a, int first, int count, float[] lanes) {
        int whole = x.length() / LANES * LANES;
        ProductSums.sum(x, a, first, count, whole, lanes);
        if (whole < x.length()) {
            plain.addProducts(x, a, first, count, whole, lanes);
        }
    }

    @Override
    public void tileOfDistances(Rows x, int a, int b, float[] lanes) {
        int whole = x.length() / LANES * LANES;
        DistanceSums.tile(x, a, b, whole, lanes);
        if (whole < x.length()) {
            plain.tileOfDistances(x, a, b, whole, lanes);
        }
    }

    @Override
    public void tileOfProducts(Rows x, int a, int b, float[] lanes) {
        int whole = x.length() / LANES * LANES;
        ProductSums.tile(x, a, b, whole, lanes);
        if (whole < x.length()) {
            plain.tileOfProducts(x, a, b, whole, lanes);
        }
    }

    @Override
    public void combine(double[] weights, Rows x, int count, double divisor, float[] out, int to) {
        int whole = DOUBLES.loopBound(x.length());
        RowSums.combine(weights, x, count, whole, divisor, out, to);
        if (whole < x.length()) {
            PlainSums.combine(weights, x, count, whole, divisor, out, to);
        }
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
        int whole = rows.length == 0 ? 0 : DOUBLES.loopBound(length);
        BufferSums.combine(weights, rows, from, whole, divisor, out, to);
        if (whole < length) {
            int rest = length - whole;
            PlainSums.combineFew(weights, rows, from + whole, rest, divisor, out, to + whole);
        }
    }

    @Override
    public void mix(double[][] weights, Rows x, int count, float[][] out) {
        int whole = x.length() / Mixtures.STEP * Mixtures.STEP;
        Mixtures.write(weights, x, count, whole, out);
        if (whole < x.length()) {
            for (int o = 0; o < out.length; o++) {
                PlainSums.combine(weights[o], x, count, whole, 1, out[o], 0);
            }
        }
    }

    @Override
    public void add(Rows x, int first, int count, double[] sums, boolean fresh) {
        int whole = DOUBLES.loopBound(x.length());
        RowSums.add(null, x, first, count, 0, whole, sums, fresh);
        plain.add(x, first, count, whole, sums, fresh);
    }

    @Override
    public void subtract(Rows x, int a, int b, float[] out, int to) {
        float[] rowA = x.arrays()[a];
        float[] rowB = x.arrays()[b];
        int fromA = x.starts()[a];
        int fromB = x.starts()[b];
        int whole = FLOATS.loopBound(x.length());
        for (int i = 0; i < whole; i += FLOATS.length()) {
            FloatVector.fromArray(FLOATS, rowA, fromA + i)
                    .sub(FloatVector.fromArray(FLOATS, rowB, fromB + i))
                    .add(0f)
                    .intoArray(out, to + i);
        }
        plain.subtract(x, a, b, whole, out, to);
    }

    @Override
    public boolean finite(float[] x, int from, int length) {
        int bound = FLOATS.loopBound(length);
        FloatVector sums = FloatVector.zero(FLOATS);
        for (int i = 0; i < bound; i += FLOATS.length()) {
            sums = FloatVector.fromArray(FLOATS, x, from + i).mul(0f).add(sums);
        }
        return sums.reduceLanes(VectorOperators.ADD) == 0f
                && PlainKernels.finiteTo(x, from + bound, from + length);
    }

    @Override
    public void divide(double[] sums, double divisor, int length, float[] out, int to) {
        int bound = DOUBLES.loopBound(length);
        Quotient.write(sums, divisor, bound, out, to);
        for (int i = bound; i < length; i++) {
            out[to + i] = (float) (sums[i] / divisor);
        }
    }

    @Override
    public void toKeys(float[] x, int from, int length, int[] keys) {
        int bound = FLOATS.loopBound(length);
        FloatVector sums = FloatVector.zero(FLOATS);
        for (int i = 0; i < bound; i += FLOATS.length()) {
            FloatVector values = FloatVector.fromArray(FLOATS, x, from + i);
            sums = sums.add(values);
            VectorOps.flip(values.reinterpretAsInts()).intoArray(keys, i);
        }
        if (Float.isNaN(sums.reduceLanes(VectorOperators.ADD))) {
            plain.toKeys(x, from, bound, keys); // all NaNs must get the same key
        }
        for (int i = bound; i < length; i++) {
            keys[i] = PlainKernels.key(x[from + i]);
        }
    }

    @Override
    public void fromKeys(int[] keys, int length, float[] out, int to) {
        int bound = INTS.loopBound(length);
        for (int i = 0; i < bound; i += INTS.length()) {
            VectorOps.flip(IntVector.fromArray(INTS, keys, i))
                    .reinterpretAsFloats()
                    .intoArray(out, to + i);
        }
        for (int i = bound; i < length; i++) {
            out[to + i] = Float.intBitsToFloat(PlainKernels.flip(keys[i]));
        }
    }

    @Override
    public void exchange(int[] low, int[] high, int length) {
        int bound = INTS.loopBound(length);
        for (int i = 0; i < bound; i += INTS.length()) {
            IntVector a = IntVector.fromArray(INTS, low, i);
            IntVector b = IntVector.fromArray(INTS, high, i);
            IntVector least = a.min(b);
            least.intoArray(low, i);
            VectorOps.other(a, b, least).intoArray(high, i);
        }
        for (int i = bound; i < length; i++) {
            int a = low[i];
            int b = high[i];
            low[i] = Math.min(a, b);
            high[i] = Math.max(a, b);
        }
    }

    @Override
    public void exchange(int[] a, int[] b, int[] c, int[] d, int length) {
        int bound = INTS.loopBound(length);
        for (int i = 0; i < bound; i += INTS.length()) {
            IntVector p = IntVector.fromArray(INTS, a, i);
            IntVector q = IntVector.fromArray(INTS, b, i);
            IntVector r = IntVector.fromArray(INTS, c, i);
            IntVector s = IntVector.fromArray(INTS, d, i);
            IntVector low = p.min(q);
            IntVector high = VectorOps.other(p, q, low);
            IntVector otherLow = r.min(s);
            IntVector otherHigh = VectorOps.other(r, s, otherLow);
            IntVector first = low.min(otherLow);
            first.intoArray(a, i);
            IntVector second = high.min(otherHigh);
            second.intoArray(b, i);
            VectorOps.other(low, otherLow, first).intoArray(c, i);
            VectorOps.other(high, otherHigh, second).intoArray(d, i);
        }
        for (int i = bound; i < length; i++) {
            int low = Math.min(a[i], b[i]);
            int high = Math.max(a[i], b[i]);
            int otherLow = Math.min(c[i], d[i]);
            int otherHigh = Math.max(c[i], d[i]);
            a[i] = Math.min(low, otherLow);
            b[i] = Math.min(high, otherHigh);
            c[i] = Math.max(low, otherLow);
            d[i] = Math.max(high, otherHigh);
        }
    }

    @Override
    public void sort(SortingNetwork network, int[][] keys, int columns) {
        ColumnNetwork code = networks.code(network, columns);
        if (code == null) {
            Kernels.super.sort(network, keys, columns);
        } else {
            code.sort(keys, columns);
        }
    }

    @Override
    public void meanOfRanks(int[][] keys, int low, int high, int columns, float[] out, int to) {
        int whole = INTS.loopBound(columns);
        RowMeans.ofRanks(keys, low, high, whole, out, to);
        if (whole < columns) {
            plain.meanOfRanks(keys, low, high, whole, columns, out, to);
        }
    }

    @Override
    public void sort(int[][] keys, int low, int high, int columns, int[] scratch) {
        ColumnSort.sort(keys, low, high, columns, scratch);
    }

    @Override
    public void sumOfRanks(
            int[][] keys, int low, int high, int columns, int[] scratch, double[] sums) {
        ColumnSort.sum(keys, low, high, columns, scratch, sums);
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
        int whole = DOUBLES.loopBound(length);
        Windows.chooseStart(low, high, center, rank, whole, nearest, start);
        plain.chooseStart(low, high, center, rank, whole, length, nearest, start);
    }

    @Override
    public void addWindow(
            float[] x, double[] start, int rank, int keep, int length, double[] sums) {
        int whole = DOUBLES.loopBound(length);
        Windows.add(x, start, rank, keep, whole, sums);
        plain.addWindow(x, start, rank, keep, whole, length, sums);
    }
}
