package dev.levee.operators.rounds.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.LookResult;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.training.CountOrShare;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReportBuilder;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Runs of ten rounds with two workers of four samples each: 80 samples, learning rate 0.5. */
class ElasticPlannerTest {
    private static Training training(int min, int max, long maxBatch) {
        return Runs.of(2, 0).elastic(min, max, maxBatch, 0).training();
    }

    /** What a planner says that has heard of these things and of nothing else. */
    private static Settings next(
            Training training,
            Settings before,
            long round,
            int subtasks,
            Control control,
            int failedBatch) {
        Planner planner = training.plan().planner(training, PlanState.NONE);
        planner.runsOn(subtasks);
        if (control != null) {
            planner.control(control);
        }
        if (failedBatch > 0) {
            planner.computed(new GradientCost(failedBatch - 1, 1, 1), before(failedBatch));
        }
        return planner.next(before, round);
    }

    private static Settings before(int batch) {
        return new Settings(Cohort.first(2), 0, 2, batch, 0.5, false, false, 0);
    }

    private static Control control(int batch, int workers, double rate) {
        return new Control(1, batch, workers, rate, 0);
    }

    @Test
    void aRunThatStaysAsItStartsFollowsItsRounds() {
        Training training = Runs.of(3, 1).training();
        Settings settings = Plan.FIXED.at(training, 0);
        for (int round = 1; round <= 10; round++) {
            settings = next(training, settings, round, 7, null, 0);
            assertThat(settings).isEqualTo(Plan.FIXED.at(training, round));
        }
        assertThat(settings.stop()).isTrue();
        assertThat(settings.samples()).isEqualTo(120);
    }

    @Test
    void anElasticRunThatNobodyChangesIsTheSameAsAnyOther() {
        Training elastic = training(1, 8, 100);
        Settings settings = Plan.FIXED.at(elastic, 0);
        for (int round = 1; round <= 10; round++) {
            settings = next(elastic, settings, round, 2, null, 0);
            assertThat(settings).isEqualTo(Plan.FIXED.at(Runs.of(2, 0).training(), round));
        }
    }

    @Test
    void workersFollowTheSubtasksWithinBounds() {
        Training training = training(2, 5, 100);
        Settings first = Plan.FIXED.at(training, 0);
        assertThat(next(training, first, 1, 4, null, 0).workers()).isEqualTo(4);
        assertThat(next(training, first, 1, 4, null, 0).quorum()).isEqualTo(4);
        assertThat(next(training, first, 1, 1, null, 0).workers()).isEqualTo(2);
        assertThat(next(training, first, 1, 9, null, 0).workers()).isEqualTo(5);
    }

    /** Of 11, 12, 14 and 15 workers a fifth are 2, 2, 2 and 3; the others close the round. */
    @Test
    void aShareOfLiarsFollowsWhoIsThere() {
        Training training =
                new TrainingBuilder(
                                Runs.of(11, 0).rule("median").elastic(11, 20, 1000, 0).training())
                        .byzantine(CountOrShare.share("20%"))
                        .quorum(CountOrShare.share("80%"))
                        .build();
        Settings settings = training.plan().at(training, 0);
        assertThat(settings.f()).isEqualTo(2);
        assertThat(settings.quorum()).isEqualTo(9);
        assertThat(next(training, settings, 1, 12, null, 0).f()).isEqualTo(2);
        assertThat(next(training, settings, 1, 14, null, 0).f()).isEqualTo(2);
        assertThat(next(training, settings, 1, 14, null, 0).quorum()).isEqualTo(12);
        assertThat(next(training, settings, 1, 15, null, 0).f()).isEqualTo(3);
        assertThat(next(training, settings, 1, 15, null, 0).quorum()).isEqualTo(12);
    }

    @Test
    void theGlobalBatchBoundsBothDimensions() {
        Training training = training(1, 8, 16);
        Settings first = Plan.FIXED.at(training, 0);
        assertThat(next(training, first, 1, 8, null, 0).workers()).isEqualTo(4);
        Settings large = next(training, first, 1, 2, control(64, 2, 1), 0);
        assertThat(large.batchSize()).isEqualTo(8);
    }

    @Test
    void theLearningRateGrowsWithTheGlobalBatch() {
        Training training = training(1, 8, 1000);
        Settings first = Plan.FIXED.at(training, 0);
        assertThat(next(training, first, 1, 4, null, 0).learningRate()).isEqualTo(1);
        // An allocator may have chosen another one, for 4 × 8 samples; 2 workers take half of them.
        Control chosen = control(8, 4, 1.5);
        assertThat(next(training, first, 1, 4, chosen, 0).learningRate()).isEqualTo(1.5);
        assertThat(next(training, first, 1, 2, chosen, 0).learningRate()).isEqualTo(0.75);
    }

    @Test
    void aBatchThatTookTooMuchIsHalvedButNeverBelowTheUsers() {
        Training training = training(1, 8, 1000);
        Settings first = Plan.FIXED.at(training, 0);
        assertThat(next(training, first, 1, 2, control(32, 2, 1), 32).batchSize()).isEqualTo(16);
        assertThat(next(training, first, 1, 2, control(8, 2, 1), 32).batchSize()).isEqualTo(8);
        assertThat(next(training, first, 1, 2, control(1, 2, 1), 0).batchSize()).isEqualTo(4);
        assertThat(next(training, first, 1, 2, null, 4).batchSize()).isEqualTo(4);
    }

    @Test
    void anyCourseTakesItsSamplesOnceAndEvaluatesAsOften() {
        for (long seed = 1; seed <= 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Training training = Runs.of(2, 0).elastic(1, 6, 60, 0).rounds(50).training();
            List<Settings> all = new ArrayList<>(List.of(Plan.FIXED.at(training, 0)));
            Settings settings = all.get(0);
            while (!settings.stop()) {
                settings =
                        next(
                                training,
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

    @Test
    void goesOnFromWhatItRemembers() {
        Training training = Runs.of(2, 0).elastic(1, 8, 1000, 0).rounds(1000).training();
        Planner planner = training.plan().planner(training, PlanState.NONE);
        planner.runsOn(3);
        planner.control(new Control(1_700_000_000_123L, 32, 4, 0.75, 0));
        Settings first = planner.next(Plan.FIXED.at(training, 0), 1);
        planner.computed(new GradientCost(7, 1, 1), before(20));
        planner.control(new Control(1_700_000_000_124L, 16, 2, 0.25, 3));
        // The control in force is for 32 samples of 4 workers; 3 workers take 3/4 of them.
        assertThat(first.batchSize()).isEqualTo(32);
        assertThat(first.learningRate()).isEqualTo(0.75 * 3 / 4);

        Planner restored = training.plan().planner(training, planner.snapshot());
        restored.runsOn(3);
        // A batch of 20 was too much, and the newer control is not for round 2 yet.
        Settings second = restored.next(first, 2);
        assertThat(second).isEqualTo(planner.next(first, 2));
        assertThat(second.batchSize()).isEqualTo(10);
        assertThat(restored.standing(second).controlTimestamp()).isEqualTo(1_700_000_000_123L);
        assertThat(restored.control(new Control(1_700_000_000_124L, 99, 2, 1, 0))).isFalse();
        // 3 × 10 of the 2 × 16 samples that 0.25 was chosen for.
        Settings third = restored.next(second, 3);
        assertThat(third).isEqualTo(planner.next(second, 3));
        assertThat(third.learningRate()).isEqualTo(0.25 * 30 / 32);
        assertThat(restored.standing(third).controlTimestamp()).isEqualTo(1_700_000_000_124L);
    }

    /** Two workers of four samples: the reference is 8. */
    private static Planner adascale(Training training) {
        Planner planner = training.plan().planner(training, PlanState.NONE);
        planner.runsOn(4);
        return planner;
    }

    private static Training byGain(OptimizerKind optimizer) {
        return Runs.of(2, 0)
                .optimizer(optimizer)
                .plan(new Elasticity(1, 8, 1000, 0, 0.5, BatchScaling.ADASCALE, null))
                .training();
    }

    /** Rows of a round are as far apart as this noise scale has them on average. */
    private static void hear(Planner planner, Settings settings, long round, double noise) {
        int n = settings.workers();
        double[] distances = new double[LookResult.pairs(n)];
        double[] products = new double[LookResult.pairs(n)];
        Arrays.fill(distances, 2 * noise / settings.batchSize());
        Arrays.fill(products, 1);
        planner.spread(0, new LookResult(n, distances, products));
        planner.applied(
                new RoundReportBuilder(round)
                        .seconds(0)
                        .phases(new double[0])
                        .loss(0)
                        .rate(0)
                        .batch(settings.batchSize())
                        .rows(settings.cohort().ids())
                        .build());
    }

    @Test
    void untilTheNoiseIsKnownALargerBatchIsWorthNothingMore() {
        Training training = byGain(OptimizerKind.SGD);
        Planner planner = adascale(training);
        Settings settings = Plan.FIXED.at(training, 0);
        for (int round = 1; round <= 10; round++) {
            settings = planner.next(settings, round);
            assertThat(settings.workers()).isEqualTo(4);
            assertThat(settings.learningRate()).isEqualTo(round < 10 ? 0.5 : 0);
        }
        assertThat(settings.stop()).isTrue();
        // The last round takes the 8 samples that are enough.
        assertThat(settings.samples()).isEqualTo(8 + 8 * 16 + 8);
    }

    @Test
    void progressAndLearningRateFollowTheGain() {
        // φ = 24: the gain of 16 samples is (24/8 + 1) / (24/16 + 1) = 1.6.
        for (OptimizerKind optimizer : List.of(OptimizerKind.SGD, OptimizerKind.ADAM)) {
            Training training = new TrainingBuilder(byGain(optimizer)).rounds(30).build();
            Planner planner = adascale(training);
            Settings settings = Plan.FIXED.at(training, 0);
            long round = 0;
            while (!settings.stop()) {
                hear(planner, settings, round, 24);
                settings = planner.next(settings, ++round);
                double gain = round < 10 ? 1 : 1.6;
                double rate = optimizer == OptimizerKind.SGD ? gain : Math.sqrt(gain);
                if (settings.batchSize() == 4 && !settings.stop()) {
                    assertThat(settings.learningRate()).isCloseTo(0.5 * rate, Offset.offset(1e-12));
                }
            }
            // 10 rounds that count once, 12 that count 1.6 times, and one for what is left.
            assertThat(round).isEqualTo(23);
            assertThat(planner.standing(settings).progress().noiseScale())
                    .isCloseTo(24, Offset.offset(1e-9));
            assertThat(planner.standing(settings).progress().rounds()).isBetween(30.0, 30.3);
        }
    }

    @Test
    void whereProgressCountsTheFloorIsThatOfARound() {
        Training training = byGain(OptimizerKind.SGD);
        Planner planner = adascale(training);
        Settings first = Plan.FIXED.at(training, 0);
        planner.control(control(2, 4, 0.5));
        assertThat(planner.next(first, 1).batchSize()).isEqualTo(2);
        planner.runsOn(2);
        assertThat(planner.next(first, 2).batchSize()).isEqualTo(4);
        planner.runsOn(1);
        assertThat(planner.next(first, 3).batchSize()).isEqualTo(8);
    }

    @Test
    void whatIsKnownOfTheNoiseIsRememberedToTheBit() {
        Training training = byGain(OptimizerKind.SGD);
        Planner planner = adascale(training);
        Settings settings = Plan.FIXED.at(training, 0);
        for (int round = 0; round < 9; round++) {
            Planner restored = training.plan().planner(training, planner.snapshot());
            restored.runsOn(4);
            hear(planner, settings, round, 24 + round);
            hear(restored, settings, round, 24 + round);
            planner.spread(1, new LookResult(2, new double[] {3}, new double[] {4}));
            restored = training.plan().planner(training, restored.snapshot());
            restored.runsOn(4);
            restored.spread(1, new LookResult(2, new double[] {3}, new double[] {4}));
            assertThat(restored.snapshot().values()).isEqualTo(planner.snapshot().values());
            Settings next = planner.next(settings, round + 1);
            assertThat(restored.next(settings, round + 1)).isEqualTo(next);
            planner = restored;
            planner.applied(
                    new RoundReportBuilder(round)
                            .seconds(0)
                            .phases(new double[0])
                            .loss(0)
                            .rate(0)
                            .batch(4)
                            .rows(0, 1)
                            .build());
            settings = next;
        }
    }
}
