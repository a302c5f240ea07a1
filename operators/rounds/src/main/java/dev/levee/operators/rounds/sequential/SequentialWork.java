package dev.levee.operators.rounds.sequential;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Learner;
import dev.levee.learners.ParticipantException;
import dev.levee.operators.rounds.participant.Batches;
import dev.levee.operators.rounds.participant.ParticipantFault;
import dev.levee.operators.rounds.participant.TaskGradients;
import dev.levee.operators.rounds.scoring.Scores;
import dev.levee.operators.rounds.scoring.Scoring;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

/** Runs the computations of a {@link SequentialRun} with one learner in the caller's thread. */
final class SequentialWork implements AutoCloseable {
    private final Training training;
    private final int trainable;
    private final Batches batches;
    private final Learner learner;
    private final Scores scores;

    /**
     * Opens the training's data set and a learner of its model.
     *
     * @throws IllegalArgumentException if the data set cannot be opened; one sentence
     */
    SequentialWork(Training training) {
        this.training = training;
        trainable = training.model().layout().trainable();
        batches = new Batches(training);
        learner = training.model().newLearner();
        scores = training.oracle() == null ? null : new Scores(training);
    }

    Work.Result work(Work.Task task) {
        try {
            return training.work()
                    .work(
                            task,
                            task.kept(),
                            trainable,
                            new TaskGradients(training, task, learner, () -> batches));
        } catch (ParticipantException e) {
            return ParticipantFault.result(training, task, e);
        }
    }

    double score(Scoring.Task task) {
        return scores.score(task);
    }

    Evaluation evaluateOnTest(float[] parameters) {
        return learner.evaluate(
                parameters, Datasets.open(training.data().uri(), Datasets.Split.TEST));
    }

    /** Evaluates on the validation samples; null if the data set has none. */
    Evaluation evaluateOnValidation(float[] parameters) {
        Dataset heldOut = Datasets.validation(training.data().uri());
        return heldOut == null ? null : learner.evaluate(parameters, heldOut);
    }

    @Override
    public void close() {
        if (scores != null) {
            scores.close();
        }
        learner.close();
    }
}
