package dev.levee.operators.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.AttackPlan;
import dev.levee.operators.Training;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class AdversaryTest {
    private static final long RUN = 1;

    private final List<GradientBlock> sent = new ArrayList<>();

    private Adversary adversary(Training training) {
        return adversary(training, new Slices(2, 2, 2));
    }

    private Adversary adversary(Training training, Slices slices) {
        AttackPlan plan = AttackPlan.of(training, RUN);
        Parts parts = new Parts(slices, training.attack().whole());
        return new Adversary(plan, parts, 0, Adversary.initial(plan, parts), sent::add);
    }

    private static GradientBlock gradient(long round, int worker, float... values) {
        return gradient(round, worker, 0, values);
    }

    private static GradientBlock gradient(long round, int worker, int block, float[] values) {
        return new GradientBlock(Header.gradient(RUN, round, worker, block), 1, 2, 3, values);
    }

    @Test
    void replacesTheAttackersOwnRow() {
        Adversary adversary = adversary(Runs.of(3, 1).attack(1, "reversed(c=10)").training());

        adversary.gradient(gradient(0, 0, 1, 2));
        adversary.gradient(gradient(0, 2, 3, -4));

        assertThat(sent).extracting(g -> g.header().sender()).containsExactly(0, 2);
        assertThat(sent.get(0).values()).containsExactly(1, 2);
        assertThat(sent.get(1).values()).containsExactly(-30, 40);
    }

    @Test
    void littleIsEnoughSeesTheHonestRowsAndNoOthers() {
        Adversary adversary =
                adversary(Runs.of(4, 1).attack(1, "little-is-enough(z=2)").training());

        adversary.gradient(gradient(0, 3));
        adversary.gradient(gradient(0, 2, 5, 1));
        adversary.gradient(gradient(0, 0, 1, 1));
        assertThat(sent).extracting(g -> g.header().sender()).containsExactly(2, 0);
        adversary.gradient(gradient(0, 1, 3, 1));

        // Mean (3, 1), deviation with one degree of freedom less (2, 0): mean − 2·deviation.
        assertThat(sent).extracting(g -> g.header().sender()).containsExactly(2, 0, 1, 3);
        assertThat(sent.get(3).values()).containsExactly(-1, 1);
    }

    @Test
    void rushesIntoAQuorumBehindTheLastHonestRowItNeeds() {
        Adversary adversary =
                adversary(
                        Runs.of(5, 1).quorum(3).attack(1, "fall-of-empires(epsilon=1)").training());

        adversary.gradient(gradient(0, 4));
        adversary.gradient(gradient(0, 1, 2, 0));
        adversary.gradient(gradient(0, 3, 4, 2));
        adversary.gradient(gradient(0, 0, 100, 100));

        assertThat(sent).extracting(g -> g.header().sender()).containsExactly(1, 3, 4, 0);
        assertThat(sent.get(2).values()).containsExactly(-3, -1);
    }

    @Test
    void forgetsTheRowsOfAClosedRound() {
        Adversary adversary =
                adversary(Runs.of(3, 1).attack(1, "fall-of-empires(epsilon=1)").training());

        adversary.gradient(gradient(0, 0, 1, 1));
        adversary.gradient(gradient(1, 1, 2, 2));
        adversary.gradient(gradient(1, 2));
        adversary.gradient(gradient(0, 1, 9, 9));
        adversary.gradient(gradient(1, 0, 4, 6));

        assertThat(sent).extracting(g -> g.header().sender()).containsExactly(0, 1, 1, 0, 2);
        assertThat(sent.get(4).values()).containsExactly(-3, -4);
    }

    @Test
    void goesOnFromItsState() {
        Training training = Runs.of(3, 1).attack(1, "fall-of-empires(epsilon=1)").training();
        Adversary adversary = adversary(training);
        adversary.gradient(gradient(0, 2));
        adversary.gradient(gradient(0, 1, 2, 2));
        AdversaryState state = adversary.snapshot();
        adversary.gradient(gradient(0, 0, 4, 6));
        sent.clear();

        Parts parts = new Parts(new Slices(2, 2, 2), false);
        new Adversary(AttackPlan.of(training, RUN), parts, 0, state, sent::add)
                .gradient(gradient(0, 0, 4, 6));

        assertThat(sent).extracting(g -> g.header().sender()).containsExactly(0, 2);
        assertThat(sent.get(1).values()).containsExactly(-3, -4);
    }

    @Test
    void passesOnWhatNoWorkerOfTheRunCanHaveSent() {
        for (String attack : List.of("little-is-enough(z=1)", "reversed", "random", "silent")) {
            sent.clear();
            Adversary adversary = adversary(Runs.of(3, 1).attack(1, attack).training());
            GradientBlock before = gradient(0, -1, 1, 1);
            GradientBlock behind = gradient(0, 7, 1, 1);
            adversary.gradient(before);
            adversary.gradient(behind);
            assertThat(sent).as(attack).containsExactly(before, behind);
        }
    }

    @Test
    void passesOnARowThatItCannotTurnIntoAnAttack() {
        GradientBlock shorter = gradient(0, 2, 1);
        adversary(Runs.of(3, 1).attack(1, "reversed").training()).gradient(shorter);
        GradientBlock unexpected = gradient(0, 2, 1, 2);
        adversary(Runs.of(3, 1).attack(1, "silent").training()).gradient(unexpected);
        assertThat(sent).containsExactly(shorter, unexpected);
    }
}
