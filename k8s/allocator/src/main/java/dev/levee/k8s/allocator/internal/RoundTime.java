package dev.levee.k8s.allocator.internal;

import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Measurement;

import java.util.List;

/**
 * Predicts the time of a job's round: alone + perWorker·(workers − 1) seconds on slots of speed 1.
 * On slower slots, only gradients take longer; the slowest slot determines the time.
 *
 * @param localBatch samples per worker and round
 * @param alone seconds of a round with one worker
 * @param perWorker seconds that each further worker adds; at most {@code alone}, so throughput
 *     never falls
 * @param compute seconds of a round that are spent on gradients
 */
public record RoundTime(int localBatch, double alone, double perWorker, double compute)
        implements Throughput {
    /**
     * Combinations of unknowns, in the order in which they are tried; unknowns left out are zero.
     */
    private static final int[][] UNKNOWNS = {{0, 1, 2}, {0, 2}, {1, 2}, {0, 1}, {1}, {0}};

    /** The time as measured, whatever the slots. */
    public static RoundTime asMeasured(JobView job) {
        return of(job, false);
    }

    /** The time with every measurement converted to slots of speed 1. */
    public static RoundTime onUnitSlots(JobView job) {
        return of(job, true);
    }

    private static RoundTime of(JobView job, boolean toUnit) {
        List<Measurement> measured = Throughput.freshest(job);
        int batch = job.localBatch();
        double[] seconds = new double[measured.size()];
        double compute = Double.NaN;
        for (int i = 0; i < seconds.length; i++) {
            Measurement m = measured.get(i);
            double round = m.globalBatch() / m.samplesPerSecond();
            double busy =
                    round * (Double.isNaN(m.computeUtilisation()) ? 1 : m.computeUtilisation());
            seconds[i] = toUnit ? round - busy + busy * m.speed() : round;
            compute = busy * m.speed() * batch / m.localBatch();
        }
        double[] fit = fit(measured, seconds);
        double alone = fit[0] + fit[1] * batch;
        return alone > 0
                ? new RoundTime(batch, alone, Math.min(fit[2], alone), Math.min(compute, alone))
                : new RoundTime(batch, batch, 0, batch); // never measured: assume perfect scaling
    }

    /**
     * Fits seconds of a round = [0] + [1]·localBatch + [2]·(workers − 1), with no negative values.
     */
    private static double[] fit(List<Measurement> measured, double[] seconds) {
        double[] full = new double[3];
        for (int[] unknowns : seconds.length == 0 ? new int[0][] : UNKNOWNS) {
            double[][] rows = new double[seconds.length][unknowns.length];
            for (int i = 0; i < rows.length; i++) {
                Measurement m = measured.get(i);
                double[] all = {1, m.localBatch(), m.workers() - 1};
                for (int u = 0; u < unknowns.length; u++) {
                    rows[i][u] = all[unknowns[u]];
                }
            }
            double[] found = LeastSquares.solve(rows, seconds);
            if (found != null && allPositive(found)) {
                for (int u = 0; u < unknowns.length; u++) {
                    full[unknowns[u]] = found[u];
                }
                break;
            }
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

    @Override
    public double at(int workers) {
        return at(workers, 1);
    }

    /** Samples per second over all workers, if the slowest slot has this speed. */
    public double at(int workers, double speed) {
        double round = alone + compute * (1 / speed - 1) + perWorker * (workers - 1);
        return workers * (double) localBatch / round;
    }
}
