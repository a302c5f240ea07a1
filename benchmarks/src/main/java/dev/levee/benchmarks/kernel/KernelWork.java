package dev.levee.benchmarks.kernel;

import dev.levee.gar.Aggregator;
import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rules;
import dev.levee.gar.block.Span;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The work that {@link Kernels} measures. The <em>streaming limit</em> is the time for the memory
 * traffic that any reduction needs: {@link #sum} reads each of n·d floats once, row by row, and
 * writes d floats.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class KernelWork {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;

    /** The rows of the last shape, kept because creating them takes longer than most benchmarks. */
    private static float[][] made = {};

    @Param("25")
    public int n;

    @Param("1000000")
    public int d;

    @Param("1")
    public int threads;

    private int f;
    private float[][] rows;
    private float[] out;
    private RowMap all;
    private Span span;

    @Setup
    public void makeRows() {
        if (made.length != n || made[0].length != d) {
            made = new float[0][];
            made = rows(n, d);
        }
        rows = made;
        f = Math.max(1, (n - 3) / 4);
        out = new float[d];
        all = RowMap.identity(n, n);
        span = new Span(0, d, 1, 0);
    }

    @Benchmark
    public float limit() {
        float sum = 0;
        for (float[] row : rows) {
            sum += sum(row);
        }
        Arrays.fill(out, sum);
        return sum;
    }

    @Benchmark
    public float[] mean() {
        return reduce(new Reduction.Mean());
    }

    @Benchmark
    public float[] median() {
        return reduce(new Reduction.Median(false));
    }

    @Benchmark
    public float[] trimmedMean() {
        return reduce(new Reduction.TrimmedMean(f));
    }

    @Benchmark
    public float[] meamed() {
        return reduce(new Reduction.MeanAroundMedian(n - f));
    }

    @Benchmark
    public float[] phocas() {
        return reduce(new Reduction.MeanAroundTrimmedMean(f, n - f));
    }

    @Benchmark
    public LookResult distances() {
        return BlockKernels.look(Look.DISTANCES, all, rows, null, span, d);
    }

    @Benchmark
    public float[] ruleMedian() {
        return aggregate("median");
    }

    @Benchmark
    public float[] ruleMultiKrum() {
        return aggregate("multi-krum");
    }

    @Benchmark
    public float[] ruleNnmMean() {
        return aggregate("nnm | average");
    }

    @Benchmark
    public float[] ruleNnmMedian() {
        return aggregate("nnm | median");
    }

    @Benchmark
    public float[] ruleBulyan() {
        return aggregate("bulyan");
    }

    /** Reads floats once as fast as possible, with four independent vectors of sums. */
    private static float sum(float[] x) {
        int lanes = FLOATS.length();
        FloatVector sum0 = FloatVector.zero(FLOATS);
        FloatVector sum1 = FloatVector.zero(FLOATS);
        FloatVector sum2 = FloatVector.zero(FLOATS);
        FloatVector sum3 = FloatVector.zero(FLOATS);
        int i = 0;
        for (; i + 4 * lanes <= x.length; i += 4 * lanes) {
            sum0 = sum0.add(FloatVector.fromArray(FLOATS, x, i));
            sum1 = sum1.add(FloatVector.fromArray(FLOATS, x, i + lanes));
            sum2 = sum2.add(FloatVector.fromArray(FLOATS, x, i + 2 * lanes));
            sum3 = sum3.add(FloatVector.fromArray(FLOATS, x, i + 3 * lanes));
        }
        float sum = sum0.add(sum1).add(sum2.add(sum3)).reduceLanes(VectorOperators.ADD);
        for (; i < x.length; i++) {
            sum += x[i];
        }
        return sum;
    }

    private float[] reduce(Reduction reduction) {
        BlockKernels.reduce(all, reduction, rows, null, List.of(), 0, d, out);
        return out;
    }

    private float[] aggregate(String rule) {
        return new Aggregator(Rules.parse(rule), f, 1).threads(threads).aggregate(rows);
    }

    static float[][] rows(int n, int d) {
        SplittableRandom random = new SplittableRandom(1);
        float[][] rows = new float[n][d];
        for (float[] row : rows) {
            for (int i = 0; i < d; i += 2) {
                long bits = random.nextLong();
                row[i] = (int) bits * 0x1p-31f;
                row[Math.min(i + 1, d - 1)] = (int) (bits >> 32) * 0x1p-31f;
            }
        }
        return rows;
    }
}
