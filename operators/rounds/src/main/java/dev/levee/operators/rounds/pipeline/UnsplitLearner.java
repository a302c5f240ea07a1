package dev.levee.operators.rounds.pipeline;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.AccumulatingLearner;
import dev.levee.learners.Evaluation;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;

/**
 * Computes the result of a pipeline in one process. It allocates native memory for the whole model
 * only when it computes on the whole model.
 */
final class UnsplitLearner implements Learner {
    private final PipelinedModel model;
    private Learner whole;

    UnsplitLearner(PipelinedModel model) {
        this.model = model;
    }

    private Learner whole() {
        if (whole == null) {
            whole = new AccumulatingLearner(model.model().newLearner(), model::parts);
        }
        return whole;
    }

    @Override
    public Gradient gradient(float[] parameters, Batch batch, long seed) {
        return whole().gradient(parameters, batch, seed);
    }

    @Override
    public long workingSet() {
        return whole().workingSet();
    }

    @Override
    public Evaluation evaluate(float[] parameters, Dataset data) {
        return whole().evaluate(parameters, data);
    }

    /** Loads one layer at a time, which has fewer parameters than a stage. */
    @Override
    public Evaluation evaluate(FlatVector parameters, Dataset data) {
        return model.model().evaluate(model.evaluated(), parameters, data);
    }

    @Override
    public void close() {
        if (whole != null) {
            whole.close();
        }
    }
}
