package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.learners.Learner;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.participant.Batches;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounds of the protocol beside FedAvg as its paper has it: a loop over models, of the devices. */
class PlainAveragingTest {
    @ParameterizedTest
    @ValueSource(strings = {"uniform", "balanced", "poisson", "capability"})
    void isTheMeanOfTheDevicesModelsWeightedByTheirSamples(String sampling) throws Exception {
        Training training =
                FederatedRuns.averaging(sampling, 3, new LocalSteps.Epochs(1))
                        .of(FederatedRuns.run(12).build());
        float[] driven;
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            driven = RoundDriver.of(training, 1).gradients(gradients).run().parameters();
        }
        float[] plain = plain(training);
        for (int i = 0; i < plain.length; i++) {
            assertThat(driven[i]).isCloseTo(plain[i], within(2e-5f));
        }
    }

    private static float[] plain(Training training) {
        Dataset data = Datasets.open(FederatedRuns.DATA, Datasets.Split.TRAIN);
        int[][] shares = Batches.shares(training, data);
        Batches batches = new Batches(training);
        long[] drawn = new long[shares.length];
        double[] model = widened(training.model().initialParameters(training.seed()));
        Planner planner = training.plan().planner(training, PlanState.NONE);
        Settings settings = training.plan().at(training, 0);
        try (Learner learner = training.model().newLearner()) {
            for (long round = 0; round < training.rounds(); round++) {
                double[] sum = new double[model.length];
                double weights = 0;
                for (int device : settings.cohort().ids()) {
                    double[] w = model.clone();
                    int steps = -Math.floorDiv(-shares[device].length, 8);
                    for (int step = 0; step < steps; step++) {
                        float[] g =
                                learner.gradient(
                                                narrowed(w),
                                                batches.next(device, drawn[device], 8),
                                                0)
                                        .values();
                        drawn[device] += 8;
                        for (int i = 0; i < w.length; i++) {
                            w[i] -= 0.05 * g[i];
                        }
                    }
                    weights += shares[device].length;
                    for (int i = 0; i < w.length; i++) {
                        sum[i] += shares[device].length * w[i];
                    }
                }
                for (int i = 0; i < model.length; i++) {
                    model[i] = sum[i] / weights;
                }
                settings = planner.next(settings, round + 1);
            }
        }
        return narrowed(model);
    }

    private static double[] widened(float[] values) {
        double[] wide = new double[values.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = values[i];
        }
        return wide;
    }

    private static float[] narrowed(double[] values) {
        float[] narrow = new float[values.length];
        for (int i = 0; i < narrow.length; i++) {
            narrow[i] = (float) values[i];
        }
        return narrow;
    }
}
