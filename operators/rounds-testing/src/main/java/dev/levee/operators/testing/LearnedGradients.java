package dev.levee.operators.testing;

import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.operators.rounds.participant.Batches;
import dev.levee.operators.rounds.scoring.Scores;
import dev.levee.operators.rounds.scoring.Scoring;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

/**
 * Computes gradients as the workers of a job do: with the model's learner, on batches of the
 * training's data set and with its partition.
 */
public final class LearnedGradients implements GradientSource, AutoCloseable {
    private final Training training;
    private final Batches batches;
    private final Learner learner;
    private final Scores scores;

    /**
     * Opens the training's data set and a learner of its model.
     *
     * @throws IllegalArgumentException if the data set cannot be opened
     */
    public LearnedGradients(Training training) {
        this.training = training;
        batches = new Batches(training);
        learner = training.model().newLearner();
        scores = training.oracle() == null ? null : new Scores(training);
    }

    @Override
    public Gradient gradient(Work.Task task) {
        return gradient(task, task.parameters(), 0);
    }

    @Override
    public Gradient gradient(Work.Task task, float[] parameters, int step) {
        int worker = task.worker();
        int size = task.settings().batchSize();
        return learner.gradient(
                parameters,
                batches.next(worker, task.consumed() + (long) step * size, size),
                training.work()
                        .modelSeed(
                                training.seed(),
                                worker,
                                training.moment(task.round()).iteration(),
                                step));
    }

    @Override
    public double score(Scoring.Task task) {
        return scores.score(task);
    }

    @Override
    public void close() {
        if (scores != null) {
            scores.close();
        }
        learner.close();
    }
}
