package dev.levee.operators;

import dev.levee.connectors.Dataset;
import dev.levee.connectors.Datasets;
import dev.levee.connectors.Partition;
import dev.levee.gar.Attack;
import dev.levee.gar.Rules;
import dev.levee.learners.Model;
import dev.levee.learners.Models;

import java.time.Duration;

/** Small runs for tests: logistic regression on strokes. */
final class Trainings {
    static final String DATA = "strokes:?train=600&test=200&seed=1";

    private Trainings() {}

    static Training logistic(int workers, int f, String rule, long rounds) {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        return new Training(
                "testrun1",
                DATA,
                Partition.parse("iid"),
                Models.open("logistic", data.shape(), data.classes()),
                workers,
                f,
                0,
                null,
                Rules.parse(rule),
                workers,
                null,
                Training.NonFinite.REJECT,
                8,
                new Constant(0.1),
                OptimizerKind.SGD,
                0.9,
                Training.MomentumSide.SERVER,
                rounds,
                50,
                1,
                1);
    }

    static Training attacked(Training run, int attackers, Attack attack) {
        return new Training(
                run.runId(),
                run.dataset(),
                run.partition(),
                run.model(),
                run.workers(),
                run.byzantine(),
                attackers,
                attack,
                run.rule(),
                run.quorum(),
                run.roundTimeout(),
                run.nonFinite(),
                run.batchSize(),
                run.learningRate(),
                run.optimizer(),
                run.momentum(),
                run.momentumSide(),
                run.rounds(),
                run.evalInterval(),
                run.seed(),
                run.computeThreads());
    }

    static Training patient(Training run, int quorum, Duration timeout) {
        return new Training(
                run.runId(),
                run.dataset(),
                run.partition(),
                run.model(),
                run.workers(),
                run.byzantine(),
                run.attackers(),
                run.attack(),
                run.rule(),
                quorum,
                timeout,
                run.nonFinite(),
                run.batchSize(),
                run.learningRate(),
                run.optimizer(),
                run.momentum(),
                run.momentumSide(),
                run.rounds(),
                run.evalInterval(),
                run.seed(),
                run.computeThreads());
    }

    static Training with(Training run, Model model) {
        return new Training(
                run.runId(),
                run.dataset(),
                run.partition(),
                model,
                run.workers(),
                run.byzantine(),
                run.attackers(),
                run.attack(),
                run.rule(),
                run.quorum(),
                run.roundTimeout(),
                run.nonFinite(),
                run.batchSize(),
                run.learningRate(),
                run.optimizer(),
                run.momentum(),
                run.momentumSide(),
                run.rounds(),
                run.evalInterval(),
                run.seed(),
                run.computeThreads());
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
