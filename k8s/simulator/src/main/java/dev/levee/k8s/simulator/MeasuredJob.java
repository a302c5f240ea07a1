package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Progress;

import java.util.Arrays;
import java.util.List;

/**
 * A job whose rounds take as long as measured on a real cluster. A configuration without a
 * measurement takes as long as the nearest measured one, with the time for gradients in proportion
 * to the samples per worker.
 */
public final class MeasuredJob extends OneStageJob {
    private final List<Measurement> measured;
    private final long reference;
    private final double noiseScale;

    /**
     * Creates a job at its start.
     *
     * @param measured its measurements, at least one
     * @param reference samples of a round that counts as one round
     * @param rounds its length, in rounds at the reference batch
     * @param noiseScale the gradient's noise scale in samples; NaN if every round counts as one,
     *     whatever its batch
     */
    public MeasuredJob(
            List<Measurement> measured, long reference, double rounds, double noiseScale) {
        super(rounds);
        if (measured.isEmpty()) {
            throw new IllegalArgumentException("a measured job needs a measurement");
        }
        this.measured = List.copyOf(measured);
        this.reference = reference;
        this.noiseScale = noiseScale;
    }

    @Override
    public Pace pace(int[] workersByNode, int localBatch, double speed) {
        int workers = Arrays.stream(workersByNode).sum();
        Measurement nearest = nearest(workers, localBatch);
        double before = nearest.globalBatch() / nearest.samplesPerSecond();
        double compute =
                before
                        * nearest.computeUtilisation()
                        * ((double) localBatch / nearest.localBatch())
                        / speed;
        double round = before * (1 - nearest.computeUtilisation()) + compute;
        long batch = (long) workers * localBatch;
        return new Pace(gain(batch) / round, batch / round, compute / round, 0, 1);
    }

    /**
     * The nearest measurement: by workers first, because their effect cannot be computed, then by
     * batch.
     */
    private Measurement nearest(int workers, int localBatch) {
        Measurement best = measured.get(0);
        for (Measurement each : measured) {
            int closer = Math.abs(each.workers() - workers) - Math.abs(best.workers() - workers);
            boolean closerBatch =
                    ratio(each.localBatch(), localBatch) < ratio(best.localBatch(), localBatch);
            if (closer < 0 || closer == 0 && closerBatch) {
                best = each;
            }
        }
        return best;
    }

    private static double ratio(int one, int other) {
        return Math.abs(Math.log((double) one / other));
    }

    @Override
    double gain(long globalBatch) {
        return reached(globalBatch).gain(globalBatch, reference);
    }

    @Override
    public Progress reached(long globalBatch) {
        return new Progress(made(), leftInStage(), noiseScale);
    }

    @Override
    public boolean fits(int localBatch) {
        return true;
    }
}
