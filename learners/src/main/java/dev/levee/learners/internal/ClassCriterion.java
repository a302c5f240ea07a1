package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;

/** Softmax cross-entropy of one logit per class. */
record ClassCriterion(int classes) implements Criterion {
    @Override
    public double losses(float[] outputs, Batch batch) {
        return new CrossEntropy(outputs, batch.size(), classes).losses(batch.labels());
    }

    @Override
    public double losses(float[] outputs, Batch batch, float[] slope) {
        return new CrossEntropy(outputs, batch.size(), classes).losses(batch.labels(), slope);
    }
}
