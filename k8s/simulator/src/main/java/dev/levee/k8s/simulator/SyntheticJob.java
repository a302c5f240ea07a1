package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.allocator.SlotSpeeds;

import java.util.Arrays;

/**
 * A job whose rounds take overhead + localBatch × perSample / v + (workers − 1) × perWorker
 * seconds, where v is the job's speed on its slowest class of slots. It ends after a number of
 * samples at its reference batch. Samples of larger batches count less, according to the noise
 * scale.
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
     * Creates a job at its start.
     *
     * @param overhead constant seconds per round
     * @param perSample seconds to compute the gradient of one sample
     * @param perWorker seconds that each further worker adds to a round
     * @param memoryBatch largest local batch that fits
     * @param reference samples per round that count fully
     * @param noiseScale the gradient's noise scale in samples; infinite if samples of any batch
     *     count fully
     * @param samples samples to process at the reference batch
     * @param speeds its speed on each class of slots
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

    /** {@inheritDoc} The unit is samples at the reference batch. */
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
