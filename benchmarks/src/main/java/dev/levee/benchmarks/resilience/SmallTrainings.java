package dev.levee.benchmarks.resilience;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rule;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.TrainingBuilder;

/** Short trainings of logistic regression on one data set. */
final class SmallTrainings {
    static final int WORKERS = 11;
    static final int ROUNDS = 150;

    /** Generated digits. */
    static final String DATA = "strokes:?train=4000&test=1000&seed=1";

    private final String data;
    private final Dataset test;
    private final Model model;

    SmallTrainings(String data) {
        this.data = data;
        Dataset train = Datasets.open(data, Datasets.Split.TRAIN);
        test = Datasets.open(data, Datasets.Split.TEST);
        model = Models.open("logistic", train.shape(), train.classes());
    }

    TrainingBuilder training(Rule rule, int workers, int f) {
        return new TrainingBuilder("resilience", data, model, rule, workers, f)
                .batchSize(16)
                .learningRate(LearningRate.parse("constant", 0.1, ROUNDS))
                .work(new GradientWork(0.9))
                .rounds(ROUNDS)
                .evalInterval(ROUNDS);
    }

    double accuracy(float[] parameters) {
        try (Learner learner = model.newLearner()) {
            return learner.evaluate(parameters, test).accuracy();
        }
    }
}
