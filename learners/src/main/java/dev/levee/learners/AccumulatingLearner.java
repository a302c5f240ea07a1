package dev.levee.learners;

import dev.levee.connectors.data.Batch;

import java.util.function.IntUnaryOperator;

/** Computes the gradient of a batch in passes, as {@link GradientMean} adds them up. */
public final class AccumulatingLearner extends WrappedLearner {
    private final IntUnaryOperator passes;
    private long workingSet;

    /**
     * A learner that divides its batches.
     *
     * @param learner computes the passes; closed with this one
     * @param passes number of passes for a batch of so many samples, from 1 to that many
     */
    public AccumulatingLearner(Learner learner, IntUnaryOperator passes) {
        super(learner);
        this.passes = passes;
    }

    @Override
    public Gradient gradient(float[] parameters, Batch batch, long seed) {
        int[] ends = GradientMean.ends(batch.size(), passes.applyAsInt(batch.size()));
        GradientMean mean = new GradientMean(ends);
        workingSet = 0;
        for (int pass = 0; pass < ends.length; pass++) {
            Batch part =
                    ends.length == 1
                            ? batch
                            : batch.part(pass == 0 ? 0 : ends[pass - 1], ends[pass]);
            Gradient next = super.gradient(parameters, part, GradientMean.seed(seed, pass));
            workingSet = Math.max(workingSet, super.workingSet());
            mean.add(next.values(), next.loss());
        }
        return mean.mean();
    }

    @Override
    public long workingSet() {
        return workingSet;
    }
}
