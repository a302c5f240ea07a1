package dev.levee.operators.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Runs of ten rounds with two workers of four samples each: 80 samples, learning rate 0.5. */
class CourseTest {
    private static Training training(int min, int max, long maxBatch) {
        return Runs.of(2, 0).elastic(min, max, maxBatch, 0).training();
    }

    private static Control control(int batch, int workers, double rate) {
        return new Control(1, batch, workers, rate, 0);
    }

    @Test
    void aRunThatStaysAsItStartsFollowsItsRounds() {
        Training training = Runs.of(3, 1).training();
        Course course = new Course(training);
        Settings settings = Settings.of(training, 0);
        for (int round = 1; round <= 10; round++) {
            settings = course.next(settings, round, 7, null, 0);
            assertThat(settings).isEqualTo(Settings.of(training, round));
        }
        assertThat(settings.stop()).isTrue();
        assertThat(settings.samples()).isEqualTo(120);
    }

    @Test
    void anElasticRunThatNobodyChangesIsTheSameAsAnyOther() {
        Training elastic = training(1, 8, 100);
        Course course = new Course(elastic);
        Settings settings = Settings.of(elastic, 0);
        for (int round = 1; round <= 10; round++) {
            settings = course.next(settings, round, 2, null, 0);
            assertThat(settings).isEqualTo(Settings.of(Runs.of(2, 0).training(), round));
        }
    }

    @Test
    void workersFollowTheSubtasksWithinBounds() {
        Course course = new Course(training(2, 5, 100));
        Settings first = Settings.of(training(2, 5, 100), 0);
        assertThat(course.next(first, 1, 4, null, 0).workers()).isEqualTo(4);
        assertThat(course.next(first, 1, 4, null, 0).quorum()).isEqualTo(4);
        assertThat(course.next(first, 1, 1, null, 0).workers()).isEqualTo(2);
        assertThat(course.next(first, 1, 9, null, 0).workers()).isEqualTo(5);
    }

    @Test
    void theGlobalBatchBoundsBothDimensions() {
        Training training = training(1, 8, 16);
        Course course = new Course(training);
        Settings first = Settings.of(training, 0);
        assertThat(course.next(first, 1, 8, null, 0).workers()).isEqualTo(4);
        Settings large = course.next(first, 1, 2, control(64, 2, 1), 0);
        assertThat(large.batchSize()).isEqualTo(8);
    }

    @Test
    void theLearningRateGrowsWithTheGlobalBatch() {
        Training training = training(1, 8, 1000);
        Course course = new Course(training);
        Settings first = Settings.of(training, 0);
        assertThat(course.next(first, 1, 4, null, 0).learningRate()).isEqualTo(1);
        // An allocator may have chosen another one, for 4 × 8 samples; 2 workers take half of them.
        Control chosen = control(8, 4, 1.5);
        assertThat(course.next(first, 1, 4, chosen, 0).learningRate()).isEqualTo(1.5);
        assertThat(course.next(first, 1, 2, chosen, 0).learningRate()).isEqualTo(0.75);
    }

    @Test
    void aBatchThatTookTooMuchIsHalvedButNeverBelowTheUsers() {
        Training training = training(1, 8, 1000);
        Course course = new Course(training);
        Settings first = Settings.of(training, 0);
        assertThat(course.next(first, 1, 2, control(32, 2, 1), 32).batchSize()).isEqualTo(16);
        assertThat(course.next(first, 1, 2, control(8, 2, 1), 32).batchSize()).isEqualTo(8);
        assertThat(course.next(first, 1, 2, control(1, 2, 1), 0).batchSize()).isEqualTo(4);
        assertThat(course.next(first, 1, 2, null, 4).batchSize()).isEqualTo(4);
    }

    @Test
    void anyCourseTakesItsSamplesOnceAndEvaluatesAsOften() {
        for (long seed = 1; seed <= 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Training training = Runs.of(2, 0).elastic(1, 6, 60, 0).rounds(50).training();
            Course course = new Course(training);
            List<Settings> all = new ArrayList<>(List.of(Settings.of(training, 0)));
            Settings settings = all.get(0);
            while (!settings.stop()) {
                settings =
                        course.next(
                                settings,
                                all.size(),
                                random.nextInt(1, 9),
                                control(random.nextInt(1, 20), random.nextInt(1, 7), 0.5),
                                random.nextInt(0, 20));
                all.add(settings);
            }
            long total = 50 * 2 * 4;
            // Workers take equal parts, so the last round may take a sample each too many.
            assertThat(settings.samples()).as("seed %d", seed).isBetween(total, total + 5);
            long taken = 0;
            for (Settings each : all) {
                assertThat(each.samples()).as("seed %d", seed).isEqualTo(taken);
                assertThat((long) each.workers() * each.batchSize()).isLessThanOrEqualTo(60);
                taken += (long) each.workers() * each.batchSize();
            }
        }
    }
}
