package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.federated.devices.Weighting;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.training.Training;

import org.junit.jupiter.api.Test;

class OwnDataTest {
    @Test
    void aClaimOfSamplesIsAWholeNumberUpToTheMost() {
        OwnData work = new OwnData(100, Weighting.SAMPLES);
        assertThat(work.mayWeigh(3, 1)).isTrue();
        assertThat(work.mayWeigh(3, 100)).isTrue();
        assertThat(work.mayWeigh(3, 101)).isFalse();
        assertThat(work.mayWeigh(3, 0.5)).isFalse();
        assertThat(work.mayWeigh(3, 1.5)).isFalse();
        OwnData equal = new OwnData(100, Weighting.EQUAL);
        assertThat(equal.mayWeigh(3, 1)).isTrue();
        assertThat(equal.mayWeigh(3, 2)).isFalse();
    }

    @Test
    void whereTheJobDealsDataAClaimIsWhatItDealt() {
        Training run =
                FederatedRuns.averaging("uniform", 4, new LocalSteps.Steps(1))
                        .of(FederatedRuns.run(3).build());
        double dealt = FederatedRun.of(run).weights()[7];
        assertThat(run.work().mayWeigh(7, dealt)).isTrue();
        assertThat(run.work().mayWeigh(7, dealt + 1)).isFalse();
    }

    @Test
    void nobodyIsAskedByClassesThatNobodyKnows() {
        Training run = FederatedRuns.run(3).build();
        assertThatThrownBy(
                        () ->
                                FederatedRuns.averaging("balanced", 4, new LocalSteps.Steps(1))
                                        .ofOwnData(run, 100))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessageContaining("balanced");
        assertThatThrownBy(() -> new OwnData(100, Weighting.KL))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessageContaining("kl");
        Training own =
                FederatedRuns.averaging("uniform", 4, new LocalSteps.Steps(1)).ofOwnData(run, 100);
        assertThat(FederatedRun.find(own)).isEmpty();
        assertThat(own.plan().at(own, 2).workers()).isEqualTo(4);
    }
}
