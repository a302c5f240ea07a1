package dev.levee.learners;

import dev.levee.connectors.data.Batch;

import java.util.function.IntUnaryOperator;

/** Computes the gradient of a batch in several passes, whose mean {@link GradientMean} forms. */
public final class AccumulatingLearner extends WrappedLearner {
    private final IntUnaryOperator passes;
    private long workingSet;

    /**
     * Creates a learner that divides its batches.
     *
     * @param learner computes the passes; closed together with this learner
     * @param passes gives the number of passes for a number of samples, from 1 to the number of
     *     samples
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
