package dev.levee.operators.flink;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Attack;
import dev.levee.gar.Rules;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.time.Duration;

/** Small runs for tests: logistic regression on strokes. */
final class Trainings {
    static final String DATA = "strokes:?train=600&test=200&seed=1";

    private Trainings() {}

    static Training logistic(int workers, int f, String rule, long rounds) {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        Model model = Models.open("logistic", data.shape(), data.classes());
        return new TrainingBuilder("testrun1", DATA, model, Rules.parse(rule), workers, f)
                .batchSize(8)
                .learningRate(new Constant(0.1))
                .work(new GradientWork(0))
                .optimizer(Optimizer.of(OptimizerKind.SGD, 0.9))
                .rounds(rounds)
                .build();
    }

    static Training attacked(Training run, int attackers, Attack attack) {
        return new TrainingBuilder(run).attack(attack, attackers).build();
    }

    static Training patient(Training run, int quorum, Duration timeout) {
        return new TrainingBuilder(run).quorum(quorum).roundTimeout(timeout).build();
    }

    static Training with(Training run, Model model) {
        return new TrainingBuilder(run).model(model).build();
    }

    record Constant(double rate) implements LearningRate {
        @Override
        public String name() {
            return "constant";
        }

        @Override
        public double at(long round) {
            return rate;
        }
    }
}
