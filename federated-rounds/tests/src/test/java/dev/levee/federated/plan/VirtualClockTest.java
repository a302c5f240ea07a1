package dev.levee.federated.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.federated.Federation;
import dev.levee.federated.LocalTraining;
import dev.levee.federated.Timing;
import dev.levee.federated.devices.Capabilities;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.SharedValue;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Test;

class VirtualClockTest {
    /** Five devices that take 1, 2, 3, 4 and 10 seconds. */
    private static VirtualClock clock(Deadline deadline, double... state) {
        VirtualTime time = new VirtualTime(new Capabilities.Equal(), 1);
        SharedValue<int[]> steps = SharedValue.of(new int[] {1, 2, 3, 4, 10});
        return new VirtualClock(new VirtualClock.Law(time, deadline, steps), 1, state);
    }

    private static final int[] ALL = {0, 1, 2, 3, 4};

    @Test
    void aRoundLastsAsLongAsItsSlowestDevice() {
        VirtualClock clock = clock(Deadline.NONE);
        assertThat(clock.take(new int[] {0, 2}, 0, 1)).containsExactly(0, 2);
        assertThat(clock.last().end()).isEqualTo(3);
        assertThat(clock.take(ALL, 1, 1)).containsExactly(0, 1, 2, 3, 4);
        assertThat(clock.last().end()).isEqualTo(13);
        assertThat(clock.last().dropped()).isEmpty();
    }

    @Test
    void aDeadlineClosesItButNotBeforeThereAreEnough() {
        VirtualClock clock = clock(new Deadline(2.5, Double.NaN));
        assertThat(clock.take(ALL, 0, 1)).containsExactly(0, 1);
        assertThat(clock.last().end()).isEqualTo(2.5);
        assertThat(clock.last().dropped()).containsExactly(2, 3, 4);
        assertThat(clock(new Deadline(2.5, Double.NaN)).take(ALL, 0, 3)).containsExactly(0, 1, 2);
        assertThat(clock(new Deadline(2.5, Double.NaN)).take(ALL, 0, 4))
                .containsExactly(0, 1, 2, 3);
        // All have come before the deadline.
        VirtualClock early = clock(new Deadline(100, Double.NaN));
        early.take(ALL, 0, 1);
        assertThat(early.last().end()).isEqualTo(10);
    }

    /** The median of 1, 2, 3, 4, 10 is 3, that of the distances 2, 1, 0, 1, 7 is 1. */
    @Test
    void anAdaptiveDeadlineFollowsTheMedian() {
        Deadline deadline = Deadline.adaptive("adaptive(2)");
        VirtualClock clock = clock(deadline);
        assertThat(clock.take(ALL, 0, 1)).hasSize(5);
        assertThat(clock.take(ALL, 1, 1)).containsExactly(0, 1, 2, 3);
        assertThat(clock.last().end()).isEqualTo(10 + 5);

        VirtualClock restored = clock(deadline, clock.state());
        assertThat(restored.take(new int[] {1, 4}, 2, 1)).containsExactly(1);
        assertThat(restored.last().end()).isEqualTo(20);
    }

    /** All devices are too late, so rounds take no more than the admission asks for. */
    @Test
    void aRoundTakesAsManyAsTheAdmissionOfTheRunWants() {
        Federation federation =
                new Federation(
                                new Participation(Sampling.parse("uniform"), 6, Weighting.EQUAL),
                                LocalTraining.sgd(new LocalSteps.Steps(3), 0.1),
                                ServerSteps.parse("sgd", 1))
                        .with(
                                new Timing.VirtualBarrier(
                                        new VirtualTime(new Capabilities.LogNormal(1), 1),
                                        new Deadline(1e-9, Double.NaN)));
        TrainingBuilder run =
                new TrainingBuilder(
                        "virtual",
                        "strokes:?train=200&test=50",
                        Models.open("logistic", new int[] {1, 28, 28}, 10),
                        Rules.parse("average"),
                        10,
                        0);
        for (int least : new int[] {1, 4, 6}) {
            Training training = federation.of(run.least(least).build());
            assertThat(((AskingPlan) training.plan()).simulated(training, 5))
                    .hasSize(5)
                    .allSatisfy(
                            round -> assertThat(round.rows()).hasSizeGreaterThanOrEqualTo(least))
                    .anySatisfy(round -> assertThat(round.rows()).hasSize(least));
        }
        assertThatThrownBy(() -> federation.of(run.least(7).build()))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessageContaining("at most");
    }
}
