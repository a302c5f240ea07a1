package dev.levee.k8s.allocator.internal;

import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Measurement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Predicts a job's throughput with another number of workers, at its current local batch. */
@FunctionalInterface
public interface Throughput {
    /** Samples per second over all workers; above 0. */
    double at(int workers);

    /** Scaling efficiency t(n) / (n · t(1)); for 0 workers, the efficiency of one. */
    default double efficiency(int workers) {
        int n = Math.max(1, workers);
        return at(n) / (n * at(1));
    }

    /** Perfect scaling, which is assumed for a job that was never measured. */
    Throughput PERFECT = workers -> workers;

    /**
     * Predicts by linear least squares on the latest measurement of each global batch. The
     * variables are the workers or, once measurements differ in their local batch, the workers and
     * the global batch. If measurements do not determine a line, throughput is assumed to be
     * proportional to workers. Predictions per worker stay between half of the smallest and twice
     * the largest measurement per worker, so that noise cannot lead to extreme predictions.
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

    private static double[] line(List<Measurement> measured) {
        double[] plane = batchChanged(measured) ? solve(measured, 3) : null;
        double[] line = plane != null ? plane : solve(measured, 2);
        Measurement last = measured.get(measured.size() - 1);
        return line != null ? line : new double[] {0, last.samplesPerSecond() / last.workers()};
    }

    private static boolean batchChanged(List<Measurement> measured) {
        for (Measurement each : measured) {
            if (each.localBatch() != measured.get(0).localBatch()) {
                return true;
            }
        }
        return false;
    }

    /** Regresses throughput on 1, workers and, with three unknowns, the global batch. */
    private static double[] solve(List<Measurement> measured, int unknowns) {
        double[][] rows = new double[measured.size()][];
        double[] values = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            Measurement m = measured.get(i);
            double[] all = {1, m.workers(), m.globalBatch()};
            rows[i] = Arrays.copyOf(all, unknowns);
            values[i] = m.samplesPerSecond();
        }
        return LeastSquares.solve(rows, values);
    }

    /** The latest measurement of each global batch, oldest first. */
    static List<Measurement> freshest(JobView job) {
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
