package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.Progress;

import java.util.Arrays;

/** A job that behaves as the Pollux artifact measured it; its stages are epochs. */
final class PolluxJob implements JobBehaviour {
    private final PolluxApplication application;
    private int epoch;
    private double progress;

    PolluxJob(PolluxApplication application) {
        this.application = application;
    }

    @Override
    public Pace pace(int[] workersByNode, int localBatch, double speed) {
        int workers = Arrays.stream(workersByNode).sum();
        int most = application.largestLocalBatch();
        int passes = (localBatch + most - 1) / most;
        if (workers == 1 && localBatch > application.initialBatch()) {
            passes = Math.max(2, passes); // as in the artifact, to measure variance on one GPU
        }
        int atomic = (localBatch + passes - 1) / passes;
        atomic = Math.max(1, Math.min(atomic, application.largestBatch() / (workers * passes)));
        long batch = (long) workers * passes * atomic;
        double[] time = application.times().at(workersByNode, atomic);
        double compute = time[0] - time[1];
        double step = time[0] + (passes / speed - 1) * compute;
        return new Pace(
                application.gain(batch, epoch) / step,
                batch / step,
                passes / speed * compute / step,
                (double) localBatch / most,
                passes);
    }

    @Override
    public double leftInStage() {
        return Math.max(0, application.progressAfter(epoch + 1) - progress);
    }

    @Override
    public void progress(double amount) {
        progress += amount;
    }

    @Override
    public void endStage() {
        epoch++;
        progress = application.progressAfter(epoch);
    }

    @Override
    public boolean finished() {
        return epoch == application.epochs();
    }

    @Override
    public double remainingSamples(long globalBatch) {
        double samples = 0;
        double from = progress;
        for (int e = epoch; e < application.epochs(); e++) {
            double left = Math.max(0, application.progressAfter(e + 1) - from);
            samples += left / application.gain(globalBatch, e) * globalBatch;
            from = application.progressAfter(e + 1);
        }
        return samples;
    }

    @Override
    public Progress reached(long globalBatch) {
        return new Progress(
                progress,
                application.progressAfter(application.epochs()) - progress,
                application.noiseScale(globalBatch, epoch));
    }

    /** Always true, because batches that are too large are accumulated in several passes. */
    @Override
    public boolean fits(int localBatch) {
        return true;
    }
}
