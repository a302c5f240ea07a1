package dev.levee.operators.testing.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.testing.BrokenInvariantException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

class ScheduleTest {
    private static final long COUNT = 1_000;

    @Tag("long")
    @Test
    void everyScheduleKeepsThePromises() {
        Long seed = Long.getLong(Schedule.SEED_PROPERTY);
        if (seed != null) {
            System.out.println(String.join("\n", new Schedule(seed).trace()));
            new Schedule(seed).run();
            return;
        }
        Map<Schedule.Outcome, Long> outcomes = new EnumMap<>(Schedule.Outcome.class);
        LongStream.range(0, COUNT)
                .forEach(s -> outcomes.merge(new Schedule(s).run(), 1L, Long::sum));
        // A change that makes schedules tame would otherwise go unnoticed.
        assertThat(LongStream.range(0, COUNT).filter(s -> new Schedule(s).elastic()))
                .hasSizeBetween((int) COUNT / 8, (int) COUNT / 4);
        assertThat(outcomes.get(Schedule.Outcome.EQUAL)).isGreaterThan(COUNT / 2);
        assertThat(outcomes.get(Schedule.Outcome.DONE)).isGreaterThan(COUNT / 4);
        assertThat(outcomes.get(Schedule.Outcome.FAILED)).isBetween(COUNT / 200, COUNT / 10);
    }

    /**
     * A replica that crashed was waited for by those that had gone over to the next; the slowest
     * block of a server proven faulty was two rounds behind and refused what came; of a worker
     * three of whose contributions came in part no other was taken.
     */
    @ParameterizedTest
    @ValueSource(longs = {5418567, 22036990, 20229433, 5468172})
    void schedulesThatOnceStoodStillEnd(long seed) {
        assertThat(new Schedule(seed).run()).isNotEqualTo(Schedule.Outcome.FAILED);
    }

    @Test
    void aScheduleIsAFunctionOfItsSeed() {
        for (long seed = 0; seed < 15; seed++) {
            assertThat(new Schedule(seed).toString()).isEqualTo(new Schedule(seed).toString());
            assertThat(shape(seed)).isEqualTo(shape(seed));
        }
    }

    /** The trace without what it says about measured time. */
    private static List<String> shape(long seed) {
        return new Schedule(seed)
                .trace().stream()
                        .map(line -> line.replaceAll("@[0-9a-f]+|Nanos=[0-9]+|RoundReport.*", ""))
                        .toList();
    }

    @Test
    void aBrokenPromiseSaysHowToRunItAgain() {
        assertThat(
                        Schedule.report(
                                new BrokenInvariantException("a hole"),
                                "n=3",
                                "ScheduleTest",
                                Schedule.SEED_PROPERTY,
                                17))
                .hasMessageContaining("a hole")
                .hasMessageContaining("n=3")
                .hasMessageContaining("-Dlevee.seed=17");
    }
}
