package dev.levee.operators.rounds.participant;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.LocalRound;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.util.function.Supplier;

/** Computes the gradients of one task, or runs the model's own loop, on one learner. */
public class TaskGradients implements Work.Gradients {
    final Work.Task task;
    final Learner learner;

    /** Number of samples of a batch. */
    int size;

    private final Training training;
    private final Supplier<Batches> batches;

    /** Creates gradients on batches of the task's worker. */
    public TaskGradients(
            Training training, Work.Task task, Learner learner, Supplier<Batches> batches) {
        this.training = training;
        this.task = task;
        this.learner = learner;
        this.batches = batches;
        this.size = task.settings().batchSize();
    }

    @Override
    public Gradient at(float[] parameters, int step) {
        return gradient(parameters, batch(step), step);
    }

    /** The gradient of a batch. */
    Gradient gradient(float[] parameters, Batch batch, int step) {
        return learner.gradient(parameters, batch, seed(step));
    }

    @Override
    public Evaluation heldOut(float[] parameters) {
        Dataset own = batches.get().heldOut(task.worker());
        return own == null ? null : learner.evaluate(parameters, own);
    }

    @Override
    public LocalRound.Result trained(float[] parameters, double rate, int steps) {
        return learner.train(
                parameters,
                new LocalRound(
                        task.worker(),
                        iteration(),
                        rate,
                        seed(0),
                        steps,
                        size,
                        this::batch,
                        task.own()));
    }

    /** Reads the batch of a step. */
    Batch batch(int step) {
        long from = task.consumed() + (long) step * task.settings().batchSize();
        return batches.get().next(task.worker(), from, size);
    }

    private long iteration() {
        return training.moment(task.round()).iteration();
    }

    private long seed(int step) {
        return training.work().modelSeed(training.seed(), task, iteration(), step);
    }
}
