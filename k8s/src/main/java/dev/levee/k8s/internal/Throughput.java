package dev.levee.k8s.internal;

import dev.levee.k8s.JobView;
import dev.levee.k8s.Measurement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What a job's throughput would be with another number of workers, at its present local batch. */
@FunctionalInterface
public interface Throughput {
    /** Samples per second over all workers; above 0. */
    double at(int workers);

    /** Scaling efficiency t(n) / (n · t(1)); that of nobody is that of one. */
    default double efficiency(int workers) {
        int n = Math.max(1, workers);
        return at(n) / (n * at(1));
    }

    /** Scales perfectly: what is assumed of a job that was never measured. */
    Throughput PERFECT = workers -> workers;

    /**
     * Linear least squares on the freshest measurement of each global batch: in workers alone, or
     * in workers and global batch once measurements differ in their local batch. With one
     * measurement, or where measurements do not determine a line, throughput is taken to be in
     * proportion to workers. No prediction per worker is below half of the least or above twice the
     * most measured per worker, so that a line through noise cannot promise wonders.
     */
    static Throughput linear(JobView job) {
        List<Measurement> measured = freshest(job);
        if (measured.isEmpty()) {
            return PERFECT;
        }
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (Measurement each : measured) {
            double perWorker = each.samplesPerSecond() / each.workers();
            least = Math.min(least, perWorker);
            most = Math.max(most, perWorker);
        }
        double floor = Math.max(least / 2, Double.MIN_NORMAL);
        double ceiling = Math.max(most * 2, Double.MIN_NORMAL);
        double[] line = line(measured);
        int batch = job.localBatch();
        return n -> {
            double value =
                    line[0] + line[1] * n + (line.length > 2 ? line[2] * (double) n * batch : 0);
            return Math.min(Math.max(value, floor * n), ceiling * n);
        };
    }

    /**
     * A curve: a round takes a + b·localBatch + c·(workers − 1) seconds, with no coefficient below
     * zero and c at most the round of one worker, so throughput is concave and never falls.
     * Coefficients that the measurements do not determine are zero.
     */
    static Throughput curve(JobView job) {
        List<Measurement> measured = freshest(job);
        if (measured.isEmpty()) {
            return PERFECT;
        }
        double[] seconds =
                measured.stream()
                        .mapToDouble(m -> m.globalBatch() / m.samplesPerSecond())
                        .toArray();
        for (boolean[] used :
                new boolean[][] {
                    {true, true, true},
                    {true, false, true},
                    {false, true, true},
                    {true, true, false},
                    {false, true, false},
                    {true, false, false}
                }) {
            double[][] rows = measured.stream().map(m -> row(m, used)).toArray(double[][]::new);
            double[] found = LeastSquares.solve(rows, seconds).orElse(null);
            if (found == null || !allPositive(found)) {
                continue;
            }
            double[] full = spread(found, used);
            int batch = job.localBatch();
            double alone = full[0] + full[1] * batch;
            double perWorker = Math.min(full[2], alone);
            return n -> n * (double) batch / (alone + perWorker * (n - 1));
        }
        return PERFECT;
    }

    private static double[] row(Measurement m, boolean[] used) {
        return pick(new double[] {1, m.localBatch(), m.workers() - 1}, used);
    }

    private static double[] pick(double[] all, boolean[] used) {
        return IntStream.range(0, all.length)
                .filter(i -> used[i])
                .mapToDouble(i -> all[i])
                .toArray();
    }

    private static double[] spread(double[] found, boolean[] used) {
        double[] full = new double[used.length];
        int next = 0;
        for (int i = 0; i < used.length; i++) {
            full[i] = used[i] ? found[next++] : 0;
        }
        return full;
    }

    private static boolean allPositive(double[] values) {
        for (double value : values) {
            if (!(value > 0)) {
                return false;
            }
        }
        return true;
    }

    private static double[] line(List<Measurement> measured) {
        double[] values = measured.stream().mapToDouble(Measurement::samplesPerSecond).toArray();
        boolean batchChanged =
                measured.stream().mapToInt(Measurement::localBatch).distinct().count() > 1;
        if (batchChanged) {
            double[][] rows =
                    measured.stream()
                            .map(m -> new double[] {1, m.workers(), m.globalBatch()})
                            .toArray(double[][]::new);
            double[] plane = LeastSquares.solve(rows, values).orElse(null);
            if (plane != null) {
                return plane;
            }
        }
        double[][] rows =
                measured.stream().map(m -> new double[] {1, m.workers()}).toArray(double[][]::new);
        Measurement last = measured.get(measured.size() - 1);
        return LeastSquares.solve(rows, values)
                .orElse(new double[] {0, last.samplesPerSecond() / last.workers()});
    }

    private static List<Measurement> freshest(JobView job) {
        Map<Long, Measurement> byBatch = new LinkedHashMap<>();
        for (Measurement each : job.memory().history()) {
            if (each.samplesPerSecond() > 0) {
                byBatch.remove(each.globalBatch());
                byBatch.put(each.globalBatch(), each);
            }
        }
        return new ArrayList<>(byBatch.values());
    }
}
