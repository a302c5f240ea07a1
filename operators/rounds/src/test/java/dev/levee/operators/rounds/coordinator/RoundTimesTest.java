package dev.levee.operators.rounds.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.training.RoundPhase;

import org.junit.jupiter.api.Test;

class RoundTimesTest {
    private static ShardReport.Arrived arrived(long modelAt, long computedAt, long arrivedAt) {
        return new ShardReport.Arrived(
                0, new ShardId(0, 0), 0, 0, 1, new double[0], 0, modelAt, computedAt, arrivedAt);
    }

    @Test
    void dividesARoundAlongItsCriticalPath() {
        RoundTimes times = new RoundTimes(-1);
        times.opened(1_000_000);
        times.arrived(arrived(1_010_000, 1_050_000, 1_055_000), 1_060_000);
        times.arrived(arrived(1_020_000, 1_110_000, 1_120_000), 1_123_000);
        times.decided(1_124_000);
        times.applied(new ShardReport.Applied(0, new ShardId(0, 0), 4_000_000, 1_000_000));
        times.applied(new ShardReport.Applied(0, new ShardId(0, 1), 2_000_000, 3_000_000));

        double[] seconds = times.byPhase(1_140_000);

        assertThat(times.seconds(1_140_000)).isEqualTo(0.14);
        assertThat(seconds[RoundPhase.COMPUTE.ordinal()]).isEqualTo(0.1);
        assertThat(seconds[RoundPhase.LOOK.ordinal()]).isEqualTo(0.003);
        assertThat(seconds[RoundPhase.DECIDE.ordinal()]).isEqualTo(0.001);
        assertThat(seconds[RoundPhase.REDUCE.ordinal()]).isEqualTo(0.004);
        assertThat(seconds[RoundPhase.UPDATE.ordinal()]).isEqualTo(0.003);
        assertThat(seconds[RoundPhase.SHIP.ordinal()]).isCloseTo(0.029, within(1e-12));
    }

    @Test
    void aSecondLookEndsLater() {
        RoundTimes times = new RoundTimes(0);
        times.arrived(arrived(1, 2, 3_000), 4_000);
        times.seen(9_000);
        times.decided(9_500);
        assertThat(times.byPhase(10_000)[RoundPhase.LOOK.ordinal()]).isEqualTo(0.006);
    }

    @Test
    void startsWithTheFirstModelWhereNobodySawTheRoundOpen() {
        RoundTimes times = new RoundTimes(-1);
        times.arrived(arrived(0, 2_000, 2_500), 2_600);
        times.arrived(arrived(1_000, 2_000, 2_500), 2_600);
        times.decided(2_700);
        assertThat(times.seconds(3_000)).isEqualTo(0.002);
    }

    @Test
    void aRoundWhoseRowsHadAllComeBeforeItOpenedTookNoTimeToLookAtThem() {
        RoundTimes times = new RoundTimes(1_000_000);
        times.decided(1_002_000);
        times.applied(new ShardReport.Applied(0, new ShardId(0, 0), 1_000_000, 1_000_000));
        double[] seconds = times.byPhase(1_010_000);
        assertThat(seconds[RoundPhase.LOOK.ordinal()]).isZero();
        assertThat(seconds[RoundPhase.DECIDE.ordinal()]).isZero();
        assertThat(seconds[RoundPhase.SHIP.ordinal()]).isCloseTo(0.008, within(1e-12));
    }

    @Test
    void clocksThatDisagreeMakeNothingNegative() {
        RoundTimes times = new RoundTimes(5_000);
        times.arrived(arrived(9_000, 1_000, 9_500), 2_000);
        times.decided(1_000);
        for (double seconds : times.byPhase(4_000)) {
            assertThat(seconds).isNotNegative();
        }
    }
}
