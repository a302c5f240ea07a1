package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Partition;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.steps.ControlVariates;
import dev.levee.federated.steps.Correction;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

/** SCAFFOLD, by hand: device 0 steps toward 0 with gradient w, device 1 toward 4 with 2(w − 4). */
class ControlVariatesTest {
    private static final TwoParabolas PARABOLAS = new TwoParabolas(List.of(1, 2), List.of(0, 4));

    private static Federation averaging(int perRound, int steps, double rate) {
        return new Federation(
                new Participation(Sampling.parse("uniform"), perRound, Weighting.EQUAL),
                LocalTraining.sgd(new LocalSteps.Steps(steps), rate),
                ServerSteps.parse("sgd", 1));
    }

    private static Federation correcting(Federation plain) {
        Correction correction = new ControlVariates();
        return new Federation(
                plain.participation(), plain.local().with(correction), plain.server());
    }

    /**
     * K = 2, η = 1/4. Round 1, without a correction: 8 → 6 → 4.5 and 8 → 6 → 5, so x = 4.75, c_0 =
     * 3.5/(1/2) = 7, c_1 = 3/(1/2) = 6 and c = 6.5. Round 2: device 0 adds 6.5 − 7 = −1/2, so 4.75
     * → 3.6875 → 2.890625; device 1 adds 1/2, so 4.75 → 4.25 → 4. Hence x = 3.4453125, and c moves
     * by the mean of (4.75 − 2.890625)·2 − 6.5 and (4.75 − 4)·2 − 6.5, which makes it 2.609375.
     */
    @Test
    void roundsAreThoseOfThePaper() {
        Federation federation = correcting(averaging(2, 2, 0.25));
        assertThat(PARABOLAS.parameters(federation.of(PARABOLAS.training(1).build())))
                .containsExactly(4.75f, 6.5f);
        assertThat(PARABOLAS.parameters(federation.of(PARABOLAS.training(2).build())))
                .containsExactly(3.4453125f, 2.609375f);
    }

    /** x + 2(x − 4) is zero at 8/3; FedAvg ends where the devices' four steps cancel. */
    @Test
    void endsAtTheOptimumWhereAveragingDoesNot() {
        Federation plain = averaging(2, 4, 0.25);
        assertThat(PARABOLAS.after(60, correcting(plain))).isCloseTo(8 / 3f, within(1e-4f));
        // x·(1 − (3/4)⁴) + (x − 4)·(1 − (1/2)⁴) = 0
        assertThat(PARABOLAS.after(60, plain)).isCloseTo(960 / 415f, within(1e-4f));
    }

    /** Where a round asks half of the devices, c moves by half of the mean change. */
    @Test
    void theServersVariateIsTheMeanOfAllDevices() {
        Training training = correcting(averaging(1, 2, 0.25)).of(PARABOLAS.training(1).build());
        float[] after = PARABOLAS.parameters(training);
        boolean first = after[0] == 4.5f;
        assertThat(after).containsExactly(first ? 4.5f : 5, first ? 3.5f : 3);
    }

    @Test
    void theFirstRoundIsAveraging() {
        Federation plain = averaging(3, 4, 0.05);
        float[] averaged = learned(plain, 1, "fegan(max_class=4,max_samples=40)");
        float[] corrected = learned(correcting(plain), 1, "fegan(max_class=4,max_samples=40)");
        assertThat(Arrays.copyOf(corrected, averaged.length)).isEqualTo(averaged);
    }

    private static float[] learned(Federation federation, long rounds, String partition) {
        Training training =
                federation.of(
                        FederatedRuns.run(rounds).partition(Partition.parse(partition)).build());
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            return RoundDriver.of(training, 1).gradients(gradients).run().parameters();
        }
    }

    @Test
    void whatWouldPartTheVariatesIsRefused() {
        Training run = PARABOLAS.training(1).build();
        Federation scaffold = correcting(averaging(2, 2, 0.25));
        Federation weighted =
                new Federation(
                        new Participation(Sampling.parse("uniform"), 2, Weighting.SAMPLES),
                        scaffold.local(),
                        scaffold.server());
        assertThatThrownBy(() -> weighted.check(run))
                .hasMessage("correction control-variates needs weighting equal, got samples");
        Training robust = PARABOLAS.training(1).rule(Rules.parse("median")).build();
        assertThatThrownBy(() -> scaffold.check(robust))
                .hasMessageStartingWith("correction control-variates needs rule average");
        assertThatThrownBy(() -> scaffold.with(new NormalizedAveraging()).check(run))
                .hasMessageStartingWith("correction control-variates is for devices that send");
    }
}
