package dev.levee.federated.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.federated.devices.Capabilities;

import org.junit.jupiter.api.Test;

class VirtualClockTest {
    /** Five devices that take 1, 2, 3, 4 and 10 seconds. */
    private static VirtualClock clock(Deadline deadline, double... state) {
        VirtualTime time = new VirtualTime(new Capabilities.Equal(), 1);
        return new VirtualClock(
                new VirtualClock.Law(time, deadline, new double[] {1, 2, 3, 4, 10}), 1, state);
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
        VirtualClock clock = clock(new Deadline(2.5, Double.NaN, 1));
        assertThat(clock.take(ALL, 0, 1)).containsExactly(0, 1);
        assertThat(clock.last().end()).isEqualTo(2.5);
        assertThat(clock.last().dropped()).containsExactly(2, 3, 4);
        assertThat(clock(new Deadline(2.5, Double.NaN, 3)).take(ALL, 0, 1))
                .containsExactly(0, 1, 2);
        // The rule needs four.
        assertThat(clock(new Deadline(2.5, Double.NaN, 1)).take(ALL, 0, 4))
                .containsExactly(0, 1, 2, 3);
        // All have come before the deadline.
        VirtualClock early = clock(new Deadline(100, Double.NaN, 1));
        early.take(ALL, 0, 1);
        assertThat(early.last().end()).isEqualTo(10);
    }

    /** The median of 1, 2, 3, 4, 10 is 3, that of the distances 2, 1, 0, 1, 7 is 1. */
    @Test
    void anAdaptiveDeadlineFollowsTheMedian() {
        Deadline deadline = Deadline.adaptive("adaptive(2)", 1);
        VirtualClock clock = clock(deadline);
        assertThat(clock.take(ALL, 0, 1)).hasSize(5);
        assertThat(clock.take(ALL, 1, 1)).containsExactly(0, 1, 2, 3);
        assertThat(clock.last().end()).isEqualTo(10 + 5);

        VirtualClock restored = clock(deadline, clock.state());
        assertThat(restored.take(new int[] {1, 4}, 2, 1)).containsExactly(1);
        assertThat(restored.last().end()).isEqualTo(20);
    }
}
