package dev.levee.federated;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.training.TrainingBuilder;

/** Small federated runs: logistic regression on strokes. */
public final class FederatedRuns {
    public static final String DATA = "strokes:?train=600&test=200&seed=1";

    private FederatedRuns() {}

    /** What is not the algorithm's own: 20 devices that are not alike. */
    public static TrainingBuilder run(long rounds) {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        return new TrainingBuilder(
                        "federated1",
                        DATA,
                        Models.open("logistic", data.shape(), data.classes()),
                        Rules.parse("average"),
                        20,
                        0)
                .partition(Partition.parse("fegan(max_class=4,max_samples=40)"))
                .batchSize(8)
                .rounds(rounds)
                .seed(3);
    }

    /** FedAvg of a few steps. */
    public static Federation averaging(String sampling, int perRound, LocalSteps steps) {
        return new Federation(
                new Participation(Sampling.parse(sampling), perRound, Weighting.SAMPLES),
                LocalTraining.sgd(steps, 0.05),
                ServerSteps.parse("sgd", 1));
    }
}
