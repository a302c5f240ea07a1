package dev.levee.operators.rounds.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;

import org.junit.jupiter.api.Test;

/** Seven workers of whom two may lie, batches of four; two faults cost three rounds. */
class ReputationPlannerTest {
    private final Training training = of(7, 2);

    private Settings settings = training.plan().at(training, 0);
    private Planner planner = training.plan().planner(training, PlanState.NONE);

    /** The round after this one, in which these have been proven faulty. */
    private Settings after(long round, int... proven) {
        planner.proven(round, proven);
        settings = planner.next(settings, round + 1);
        return settings;
    }

    @Test
    void whoIsProvenFaultyTwiceIsLeftOutForThreeRoundsAndThenBelieved() {
        assertThat(after(0, 5).cohort()).isEqualTo(Cohort.first(7));
        assertThat(settings.f()).isEqualTo(2);
        assertThat(after(1, 5).cohort()).isEqualTo(Cohort.of(0, 1, 2, 3, 4, 6));
        assertThat(settings.f()).isEqualTo(1);
        assertThat(settings.quorum()).isEqualTo(6);
        assertThat(settings.samples()).isEqualTo(2 * 7 * 4);
        assertThat(after(2).workers()).isEqualTo(6);
        assertThat(after(3).workers()).isEqualTo(6);
        assertThat(after(4).workers()).isEqualTo(7);
        assertThat(settings.f()).isEqualTo(2);
        assertThat(settings.samples()).isEqualTo((2 * 7 + 3 * 6) * 4);
        // One fault more is enough now.
        assertThat(after(5, 5).cohort()).isEqualTo(Cohort.of(0, 1, 2, 3, 4, 6));
    }

    @Test
    void neverAreMoreLeftOutThanMayLie() {
        after(0, 1, 3, 5);
        assertThat(after(1, 1, 3, 5).cohort()).isEqualTo(Cohort.of(0, 2, 4, 5, 6));
        assertThat(settings.f()).isZero();
    }

    @Test
    void aPlannerGoesOnFromWhatItRemembers() {
        after(0, 4);
        after(1, 4, 6);
        planner = training.plan().planner(training, planner.snapshot());
        assertThat(after(2).cohort()).isEqualTo(Cohort.of(0, 1, 2, 3, 5, 6));
        assertThat(after(3, 6).cohort()).isEqualTo(Cohort.of(0, 1, 2, 3, 5));
        assertThat(after(4).cohort()).isEqualTo(Cohort.of(0, 1, 2, 3, 4, 5));
    }

    /** A job that has only what was published of a version opens its round as it was. */
    @Test
    void aRoundIsKnownByWhatItsPlannerRemembers() {
        for (long round = 0; round < 8; round++) {
            after(round, round < 3 ? new int[] {5, 6} : new int[0]);
            assertThat(training.settings(0, round + 1, planner.snapshot())).isEqualTo(settings);
        }
        assertThat(settings.samples()).isEqualTo((2 * 7 + 3 * 5 + 3 * 7) * 4);
    }

    @Test
    void whoIsLeftOutIsKnownOnlyForNoFewerWorkersAndLiars() {
        after(0, 1, 6);
        after(1, 1, 6);
        PlanState state = planner.snapshot();
        assertThatThrownBy(() -> of(6, 2).settings(0, 2, state))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessage("its reputation is of 7 workers, got 6");
        assertThatThrownBy(() -> of(7, 1).settings(0, 2, state))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessage("its reputation excludes 2 workers, more than byzantine 1");
        assertThatThrownBy(() -> training.settings(0, 2, PlanState.NONE))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessage("the version does not determine whom reputation excludes");
        Settings more = of(8, 2).settings(0, 2, state);
        assertThat(more.cohort()).isEqualTo(Cohort.of(0, 2, 3, 4, 5, 7));
        assertThat(more.samples()).isEqualTo(settings.samples());
    }

    private static Training of(int workers, int byzantine) {
        return Runs.of(workers, byzantine).rule("median").plan(new Reputation(2, 3)).training();
    }

    /** With quorum 5, the attacker waits for 4 of 6 rows, and at most 2 workers are left out. */
    @Test
    void attackersThatWaitForAllOthersNeedAQuorum() {
        Runs colluding = Runs.of(7, 2).rule("median").attack(1, "mimic").plan(new Reputation(1, 3));
        assertThatThrownBy(colluding::training)
                .isInstanceOf(WrongTrainingException.class)
                .hasMessageContaining("of at most n − f = 5 with")
                .hasMessageEndingWith(
                        "whose attackers would wait for rows of excluded workers, too, got 7");
        assertThat(AttackPlan.of(colluding.quorum(5).training()).honestSeen(1, null)).isEqualTo(4);
    }

    @Test
    void anAsynchronousRoundStillWaitsForItsQuorum() {
        Training asynchronous =
                Runs.of(7, 2).rule("median").quorum(5).plan(new Reputation(1, 3)).training();
        Planner other = asynchronous.plan().planner(asynchronous, PlanState.NONE);
        other.proven(0, new int[] {2});
        Settings next = other.next(asynchronous.plan().at(asynchronous, 0), 1);
        assertThat(next.quorum()).isEqualTo(5);
        assertThat(next.f()).isEqualTo(1);
    }
}
