package dev.levee.operators.testing.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.stream.LongStream;

class ServedScheduleTest {
    private static final long COUNT = 600;

    @Test
    void everyServedScheduleKeepsThePromises() {
        Long seed = Long.getLong(ServedSchedule.SEED_PROPERTY);
        if (seed != null) {
            System.out.println(String.join("\n", new ServedSchedule(seed).trace()));
            new ServedSchedule(seed).run();
            return;
        }
        long crashes = LongStream.range(0, COUNT).map(each -> new ServedSchedule(each).run()).sum();
        // A change that makes schedules tame would otherwise go unnoticed.
        assertThat(crashes).isGreaterThan(3 * COUNT);
    }

    /**
     * Versions that are found on the topic, by the coordinator and by one block without another.
     */
    @Test
    void jobsGoOnFromWhatWasPublished() {
        long coordinators = 0;
        long blocks = 0;
        long raced = 0;
        for (long seed = 0; seed < 100; seed++) {
            for (String line : new ServedSchedule(seed).trace()) {
                coordinators += line.contains("coordinator adopts") ? 1 : 0;
                blocks += line.contains("block") && line.contains("adopts") ? 1 : 0;
                raced += line.contains("while the job started") ? 1 : 0;
            }
        }
        assertThat(coordinators).isPositive();
        assertThat(blocks).isGreaterThan(coordinators);
        assertThat(raced).isPositive();
    }
}
