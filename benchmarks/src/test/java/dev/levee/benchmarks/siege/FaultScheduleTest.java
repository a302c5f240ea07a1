package dev.levee.benchmarks.siege;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;

class FaultScheduleTest {
    private static final Duration LENGTH = Duration.ofMinutes(20);

    @Test
    void aSeedTellsTheSameAgainAndAnotherSomethingElse() {
        assertThat(FaultSchedule.of(7, LENGTH)).isEqualTo(FaultSchedule.of(7, LENGTH));
        assertThat(FaultSchedule.of(8, LENGTH).steps())
                .isNotEqualTo(FaultSchedule.of(7, LENGTH).steps());
    }

    @Test
    void everyKindOfFaultComesBeforeOneComesTwice() {
        List<FaultSchedule.Step> steps = FaultSchedule.of(3, LENGTH).steps();
        int kinds = Fault.values().length;
        assertThat(steps).hasSizeGreaterThan(2 * kinds);
        for (int turn = 0; turn < 2; turn++) {
            assertThat(
                            steps.subList(turn * kinds, (turn + 1) * kinds).stream()
                                    .map(FaultSchedule.Step::fault)
                                    .collect(Collectors.toSet()))
                    .isEqualTo(EnumSet.allOf(Fault.class));
        }
    }

    @Test
    void stepsFollowEachOtherAndPausesLastAMinuteAtMost() {
        for (long seed = 0; seed < 20; seed++) {
            int free = 0;
            for (FaultSchedule.Step step : FaultSchedule.of(seed, LENGTH).steps()) {
                assertThat(step.at()).as("seed " + seed).isGreaterThanOrEqualTo(free);
                assertThat(step.at()).isLessThan((int) LENGTH.toSeconds());
                assertThat(step.seconds()).isBetween(step.fault().lasts() ? 1 : 0, 60);
                free = step.at() + step.seconds();
            }
        }
    }

    @Test
    void aShortSiegeHasNoLongPauses() {
        assertThat(FaultSchedule.of(1, Duration.ofMinutes(1)).steps())
                .hasSizeGreaterThan(8)
                .allSatisfy(step -> assertThat(step.seconds()).isLessThan(8));
    }
}
