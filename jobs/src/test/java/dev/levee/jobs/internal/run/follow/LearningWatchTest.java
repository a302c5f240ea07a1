package dev.levee.jobs.internal.run.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.report.page.StalledTraining;

import org.junit.jupiter.api.Test;

class LearningWatchTest {
    private static final double GUESSING = Math.log(10);

    private final LearningWatch watch = new LearningWatch(GUESSING, 400);

    @Test
    void saysOnceThatARunHasStoppedLearning() {
        assertThat(watch.look(10, 2.1)).isEmpty();
        assertThat(watch.look(20, 2.303)).isEmpty();
        assertThat(watch.look(40, 2.31)).isEmpty();
        assertThat(watch.look(50, 2.302)).contains(new StalledTraining(40, 2.302, GUESSING));
        assertThat(watch.look(90, 2.302)).isEmpty();
    }

    @Test
    void oneRoundBelowGuessingShowsThatARunLearns() {
        watch.look(0, 2.303);
        watch.look(30, 2.303);
        assertThat(watch.look(35, 2.2)).isEmpty();
        assertThat(watch.look(45, 2.303)).isEmpty();
        assertThat(watch.look(60, 2.303)).isEmpty();
    }

    @Test
    void saysNothingOfALossThatCannotBeCompared() {
        LearningWatch regression = new LearningWatch(Double.NaN, 400);
        for (int round = 0; round < 400; round += 50) {
            assertThat(regression.look(round, 7)).isEmpty();
            assertThat(watch.look(round, Double.NaN)).isEmpty();
            assertThat(watch.look(Double.NaN, 7)).isEmpty();
        }
    }
}
