package dev.levee.k8s.simulator;

/**
 * A job whose round takes overhead + localBatch × perSample / speed + (workers − 1) × perWorker
 * seconds and that ends after so many samples, whatever their batch.
 */
final class SyntheticJob implements JobBehaviour {
    private final double overhead;
    private final double perSample;
    private final double perWorker;
    private final int memoryBatch;
    private double samplesLeft;
    private boolean finished;

    /**
     * A job at its start.
     *
     * @param overhead seconds of a round that do not depend on anything
     * @param perSample seconds to compute the gradient of one sample
     * @param perWorker seconds by which each further worker lengthens a round
     * @param memoryBatch largest local batch that fits
     * @param samples samples to process
     */
    SyntheticJob(
            double overhead, double perSample, double perWorker, int memoryBatch, double samples) {
        this.overhead = overhead;
        this.perSample = perSample;
        this.perWorker = perWorker;
        this.memoryBatch = memoryBatch;
        this.samplesLeft = samples;
    }

    @Override
    public Pace pace(int[] workersByNode, int localBatch, double speed) {
        int workers = 0;
        for (int here : workersByNode) {
            workers += here;
        }
        double compute = localBatch * perSample / speed;
        double round = overhead + compute + (workers - 1) * perWorker;
        double samples = (double) workers * localBatch / round;
        return new Pace(samples, samples, compute / round, (double) localBatch / memoryBatch);
    }

    @Override
    public double leftInStage() {
        return samplesLeft;
    }

    @Override
    public void progress(double amount) {
        samplesLeft = Math.max(0, samplesLeft - amount);
    }

    @Override
    public void endStage() {
        samplesLeft = 0;
        finished = true;
    }

    @Override
    public boolean finished() {
        return finished;
    }

    @Override
    public double remainingSamples(long globalBatch) {
        return samplesLeft;
    }

    @Override
    public boolean fits(int localBatch) {
        return localBatch <= memoryBatch;
    }
}
