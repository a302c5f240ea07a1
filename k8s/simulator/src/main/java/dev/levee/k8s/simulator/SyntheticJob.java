package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.allocator.SlotSpeeds;

import java.util.Arrays;

/**
 * A job whose round takes overhead + localBatch × perSample / v + (workers − 1) × perWorker seconds
 * and that ends after so many samples at its reference batch. v is its own speed on the slowest
 * class of slots that it has. Samples of a larger batch are worth less by the noise scale.
 */
final class SyntheticJob extends OneStageJob {
    private final double overhead;
    private final double perSample;
    private final double perWorker;
    private final int memoryBatch;
    private final long reference;
    private final double noiseScale;
    private final SlotSpeeds speeds;

    /**
     * A job at its start.
     *
     * @param overhead seconds of a round that do not depend on anything
     * @param perSample seconds to compute the gradient of one sample
     * @param perWorker seconds by which each further worker lengthens a round
     * @param memoryBatch largest local batch that fits
     * @param reference samples per round that count fully
     * @param noiseScale the gradient's noise scale in samples; infinite if samples of any batch
     *     count fully
     * @param samples samples to process at the reference batch
     * @param speeds how fast it computes on each class of slots
     */
    SyntheticJob(
            double overhead,
            double perSample,
            double perWorker,
            int memoryBatch,
            long reference,
            double noiseScale,
            double samples,
            SlotSpeeds speeds) {
        super(samples);
        this.overhead = overhead;
        this.perSample = perSample;
        this.perWorker = perWorker;
        this.memoryBatch = memoryBatch;
        this.reference = reference;
        this.noiseScale = noiseScale;
        this.speeds = speeds;
    }

    @Override
    public Pace pace(int[] workersByNode, int localBatch, double speed) {
        int workers = Arrays.stream(workersByNode).sum();
        double compute = localBatch * perSample / speeds.of(speed);
        double round = overhead + compute + (workers - 1) * perWorker;
        long batch = (long) workers * localBatch;
        return new Pace(
                gain(batch) / round,
                batch / round,
                compute / round,
                (double) localBatch / memoryBatch,
                1);
    }

    /** Samples at the reference batch that a round with this one is worth. */
    @Override
    double gain(long batch) {
        return Double.isInfinite(noiseScale)
                ? batch
                : reference * reached(batch).gain(batch, reference);
    }

    @Override
    public Progress reached(long globalBatch) {
        return new Progress(made() / reference, leftInStage() / reference, noiseScale);
    }

    @Override
    public boolean fits(int localBatch) {
        return localBatch <= memoryBatch;
    }
}
