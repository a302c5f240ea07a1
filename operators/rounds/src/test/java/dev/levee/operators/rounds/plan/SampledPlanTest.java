package dev.levee.operators.rounds.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

class SampledPlanTest {
    private static Training training(int all, int perRound) {
        return Runs.of(all, 0).sampled(perRound).rounds(1_000_000).training();
    }

    private static Training seeded(Training training, long seed) {
        return new TrainingBuilder(training).seed(seed).build();
    }

    private static Cohort cohort(Training training, long round) {
        return training.plan().at(training, round).cohort();
    }

    @Test
    void asManyAsWereAskedForTakePartInEachRound() {
        Training training = training(1000, 30);
        for (long round = 0; round < 200; round++) {
            Settings settings = training.plan().at(training, round);
            int[] ids = settings.cohort().ids();
            assertThat(ids).as("round %d", round).hasSize(30).doesNotHaveDuplicates().isSorted();
            assertThat(ids[0]).isNotNegative();
            assertThat(ids[29]).isLessThan(1000);
            assertThat(settings.quorum()).isEqualTo(30);
            // 30 members with four samples each.
            assertThat(settings.samples()).isEqualTo(round * 120);
        }
    }

    @Test
    void everybodyTakesPartWhereThereAreNoMore() {
        assertThat(cohort(training(5, 5), 3)).isEqualTo(Cohort.first(5));
        assertThat(cohort(training(5, 9), 3)).isEqualTo(Cohort.first(5));
    }

    @Test
    void aCohortIsAFunctionOfSeedAndRound() {
        Training training = training(1000, 30);
        Planner planner = training.plan().planner(training, PlanState.NONE);
        Settings settings = training.plan().at(training, 0);
        assertThat(settings).isEqualTo(training.plan().at(training, 0));
        Set<Cohort> all = new HashSet<>(Set.of(settings.cohort()));
        for (long round = 1; round < 100; round++) {
            settings = planner.next(settings, round);
            assertThat(settings).isEqualTo(training.plan().at(training, round));
            all.add(settings.cohort());
        }
        assertThat(all).hasSize(100);
        assertThat(cohort(seeded(training, 2), 7)).isNotEqualTo(cohort(training, 7));
        assertThat(cohort(seeded(training, 1), 7)).isEqualTo(cohort(training, 7));
    }

    /** χ² of as many counts as there are participants, if each is as likely as any other. */
    private static double chiSquare(int[] counts, double expected) {
        return IntStream.of(counts)
                .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                .sum();
    }

    @Test
    void everyParticipantIsAsLikelyAsAnyOtherInEveryRound() {
        int all = 20;
        int perRound = 6;
        int draws = 20_000;
        int[] overSeeds = new int[all];
        int[] overRounds = new int[all];
        for (int i = 0; i < draws; i++) {
            for (int id : cohort(seeded(training(all, perRound), i), 3).ids()) {
                overSeeds[id]++;
            }
            for (int id : cohort(training(all, perRound), i).ids()) {
                overRounds[id]++;
            }
        }
        // Without replacement counts vary less: times (n − 1) / (n − k) it is χ² of 19 degrees of
        // freedom, above 43.8 once in a thousand and below 5.4 as rarely.
        double scale = (all - 1.0) / (all - perRound);
        double expected = draws * perRound / (double) all;
        assertThat(scale * chiSquare(overSeeds, expected)).isBetween(5.4, 43.8);
        assertThat(scale * chiSquare(overRounds, expected)).isBetween(5.4, 43.8);
    }

    @Test
    void everyPairIsAsLikelyAsAnyOther() {
        int all = 8;
        int draws = 28_000;
        int[] pairs = new int[all * (all - 1) / 2];
        for (int i = 0; i < draws; i++) {
            int[] ids = cohort(training(all, 2), i).ids();
            pairs[ids[1] * (ids[1] - 1) / 2 + ids[0]]++;
        }
        // 27 degrees of freedom: above 55.5 once in a thousand, below 9.8 as rarely.
        assertThat(chiSquare(pairs, 1000)).isBetween(9.8, 55.5);
        assertThat(IntStream.of(pairs).average().orElseThrow()).isCloseTo(1000, within(1e-9));
    }

    @Test
    void nobodyIsPermanentUnlessEverybodyIs() {
        Training some = training(1000, 30);
        assertThat(some.permanentWorkers()).isZero();
        assertThat(some.suspects()).isEqualTo(1000);
        assertThat(some.plan().participants(some)).isEqualTo(1000);
        assertThat(some.plan().crowd(some)).isEqualTo("30 of 1000");
        Training everybody = training(30, 30);
        assertThat(everybody.permanentWorkers()).isEqualTo(30);
    }

    @Test
    void refusesARoundOfNobody() {
        assertThatThrownBy(() -> new SampledPlan(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("plan: participants per round must be at least 1, got 0");
    }
}
