package dev.levee.operators.rounds.pipeline;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;

/**
 * A worker's learner that computes gradients with the stages of a pipeline. If stages send blocks
 * to the servers themselves, its gradients have only the worker's part.
 */
record PipelineLearner(
        PipelinedModel model, int worker, long version, long after, PipelineHost host)
        implements Learner {
    /**
     * Computes a gradient that is bit-identical to that of the model's own learner.
     *
     * @param parameters empty if stages receive them from the servers
     * @throws RejectedExecutionException if the waiting thread is interrupted
     */
    @Override
    public Gradient gradient(float[] parameters, Batch batch, long seed) {
        CompletableFuture<Gradient> gradient =
                host.gradient(worker, version, after, parameters, batch, seed);
        try {
            return gradient.get();
        } catch (InterruptedException e) {
            gradient.cancel(true);
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException("the step is no longer waited for", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the step has failed", e.getCause());
        }
    }

    /** Evaluates the whole model in this process. */
    @Override
    public Evaluation evaluate(float[] parameters, Dataset data) {
        try (Learner whole = model.newLearner()) {
            return whole.evaluate(parameters, data);
        }
    }

    @Override
    public void close() {}
}
