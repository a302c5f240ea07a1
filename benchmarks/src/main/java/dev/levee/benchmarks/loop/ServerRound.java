package dev.levee.benchmarks.loop;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

/**
 * A round whose cost is compared with that of a plain loop. The batch size is 32, and the server
 * keeps the momentum.
 *
 * @param workers number of workers, n
 * @param byzantine number of Byzantine workers, f
 * @param topology the servers
 */
record ServerRound(
        String model, String data, int workers, int byzantine, String rule, Topology topology) {
    Training training(int rounds) {
        Dataset samples = Datasets.open(data, Datasets.Split.TRAIN);
        return new TrainingBuilder(
                        "slowdown",
                        data,
                        Models.open(model, samples.shape(), samples.classes()),
                        Rules.parse(rule),
                        workers,
                        byzantine)
                .batchSize(32)
                .learningRate(LearningRate.parse("constant", 0.01, rounds))
                .work(new GradientWork(0))
                .optimizer(Optimizer.of(OptimizerKind.SGD, PlainLoop.MOMENTUM))
                .topology(topology)
                .rounds(rounds)
                .evalInterval(rounds)
                .build();
    }
}
