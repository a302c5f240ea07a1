package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Partition;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.privacy.Privacy;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.testing.driver.RoundDriver;

import org.junit.jupiter.api.Test;

import java.util.List;

/** A device that lies about how many samples it has. */
class ClaimedWeightsTest {
    /** Devices 0 and 1 step toward 0, device 2 toward 80. */
    private static final TwoParabolas DEVICES =
            new TwoParabolas(List.of(1, 1, 1), List.of(0, 0, 80));

    /** One round with a step of 1/4 from 8, of devices that claim these numbers of samples. */
    private static float after(String rule, double... claimed) {
        LocalTraining local = LocalTraining.sgd(new LocalSteps.Steps(1), 0.25);
        Federation federation =
                new Federation(
                        new Participation(Sampling.parse("uniform"), 3, Weighting.SAMPLES),
                        local,
                        ServerSteps.parse("sgd", 1));
        Training honest =
                federation.of(
                        FederatedRuns.run(1)
                                .workers(3)
                                .partition(Partition.parse("iid"))
                                .rule(Rules.parse(rule))
                                .model(DEVICES)
                                .build());
        Training training =
                new TrainingBuilder(honest)
                        .work(
                                new LocalWork(
                                        local,
                                        new int[] {1, 1, 1},
                                        claimed,
                                        Privacy.NONE,
                                        3,
                                        new Upload.Difference(),
                                        false))
                        .build();
        return RoundDriver.of(training, 1).gradients(DEVICES).run().parameters()[0];
    }

    /** They send 2, 2 and −18: a million of samples move the model to the liar's 26. */
    @Test
    void controlsTheMeanUnlessWeightsAreCapped() {
        assertThat(after("average", 10, 10, 10)).isCloseTo(8 + 14 / 3f, within(1e-5f));
        assertThat(after("average", 10, 10, 1e6)).isCloseTo(26, within(1e-3f));
        assertThat(after("cap-weights | average", 10, 10, 1e6))
                .isCloseTo(8 + 14 / 3f, within(1e-5f));
        // (2·10 + 2·12 − 18·12)/34: the cap is the median.
        assertThat(after("cap-weights | average", 10, 12, 1e6))
                .isCloseTo(8 + 172 / 34f, within(1e-5f));
    }
}
