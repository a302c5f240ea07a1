package dev.levee.operators.rounds.adversary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.plan.SampledPlan;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.AttackView;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

class AdversaryTest {
    private static final long RUN = 1;

    private final List<GradientBlock> sent = new ArrayList<>();

    private Adversary adversary(Training training) {
        return adversary(training, new Slices(2, 2, 2));
    }

    private Adversary adversary(Training training, Slices slices) {
        AttackPlan plan = AttackPlan.of(training, RUN);
        AttackParts parts = new AttackParts(slices, training.attackers().attack().whole());
        return new Adversary(plan, parts, 0, Adversary.initial(plan, parts), sent::add);
    }

    private static GradientBlock gradient(long round, int worker, float... values) {
        return gradient(round, worker, 0, values);
    }

    private static GradientBlock gradient(long round, int worker, int block, float[] values) {
        return new GradientBlock(
                Header.gradient(RUN, round, worker, new ShardId(0, block)), 1, 2, 3, values);
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

    /** Three of eight are asked in each round, and the last three of the eight attack. */
    @Test
    void knowsWhomARoundAsks() {
        Training training =
                new TrainingBuilder(
                                Runs.of(8, 0).attack(3, "fall-of-empires(epsilon=1)").training())
                        .plan(new SampledPlan(3))
                        .build();
        Adversary adversary = adversary(training);
        int[] rounds = new int[4];
        for (long round = 0; round < 40; round++) {
            int[] ids = training.plan().at(training, round).cohort().ids();
            int[] liars = IntStream.of(ids).filter(training::attacks).toArray();
            int[] honest = IntStream.of(ids).filter(id -> !training.attacks(id)).toArray();
            rounds[liars.length]++;
            sent.clear();
            for (int id : liars) {
                adversary.gradient(gradient(round, id, 50, 50));
            }
            for (int id : honest) {
                adversary.gradient(gradient(round, id, 3 * id, 6));
            }
            int[] senders = IntStream.concat(IntStream.of(honest), IntStream.of(liars)).toArray();
            assertThat(sent).extracting(g -> g.header().sender()).containsExactly(box(senders));
            for (GradientBlock lie : sent.subList(honest.length, ids.length)) {
                float mean = (float) (3 * IntStream.of(honest).average().orElse(Double.NaN));
                assertThat(lie.values())
                        .containsExactly(
                                honest.length == 0
                                        ? new float[] {50, 50} // nobody to hide among
                                        : new float[] {-mean, -6});
            }
        }
        assertThat(rounds).as("rounds with so many liars").doesNotContain(0);
    }

    /**
     * A round of four of eight closes with three rows, so two honest rows are enough for a liar.
     */
    @Test
    void rushesIntoTheQuorumOfAPartOfTheWorkers() {
        Training training =
                new TrainingBuilder(
                                Runs.of(8, 0).quorum(3).attack(1, "little-is-enough").training())
                        .plan(new SampledPlan(4))
                        .build();
        AttackPlan plan = AttackPlan.of(training);
        assertThat(plan.honestSeen(0, Cohort.of(0, 2, 4, 7))).isEqualTo(2);
        assertThat(plan.honestSeen(0, Cohort.of(0, 2, 4, 6))).isEqualTo(3);
    }

    private static Integer[] box(int[] values) {
        return IntStream.of(values).boxed().toArray(Integer[]::new);
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

        AttackParts parts = new AttackParts(new Slices(2, 2, 2), false);
        new Adversary(AttackPlan.of(training, RUN), parts, 0, state, sent::add)
                .gradient(gradient(0, 0, 4, 6));

        assertThat(sent).extracting(g -> g.header().sender()).containsExactly(0, 2);
        assertThat(sent.get(1).values()).containsExactly(-3, -4);
    }

    @Test
    void passesOnWhatNoWorkerOfTheRunCanHaveSent() {
        for (String attack : List.of("little-is-enough(z=1)", "reversed", "random", "silent")) {
            sent.clear();
            Adversary adversary =
                    adversary(Runs.of(3, 1).attack(1, attack).timeoutMillis(30).training());
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
        adversary(Runs.of(3, 1).attack(1, "silent").timeoutMillis(30).training())
                .gradient(unexpected);
        assertThat(sent).containsExactly(shorter, unexpected);
    }

    @Test
    void aWholeAttackGathersAllBlocksOfTheRound() {
        // Honest (0, 1), (0, −1), (3, 0) in blocks of one coordinate.
        Adversary adversary =
                adversary(Runs.of(5, 1).attack(2, "min-sum(unit)").training(), new Slices(2, 2, 1));
        float[][] honest = {{0, 1}, {0, -1}, {3, 0}};
        adversary.gradient(gradient(0, 3, 0, new float[0]));
        for (int worker = 0; worker < 3; worker++) {
            adversary.gradient(gradient(0, worker, 0, new float[] {honest[worker][0]}));
        }
        adversary.gradient(gradient(0, 3, 1, new float[0]));
        adversary.gradient(gradient(0, 4, 1, new float[0]));
        adversary.gradient(gradient(0, 0, 1, new float[] {1}));
        adversary.gradient(gradient(0, 1, 1, new float[] {-1}));
        assertThat(sent).hasSize(5).noneMatch(g -> g.header().sender() > 2);
        adversary.gradient(gradient(0, 2, 1, new float[] {0}));

        // The last honest block, both blocks of worker 3, and nothing of worker 4 yet.
        assertThat(sent).extracting(g -> g.header().sender()).endsWith(2, 3, 3);
        assertThat(sent).extracting(g -> g.header().block()).endsWith(1, 0, 1);
        assertThat(sent.get(6).values()).containsExactly(-1);
        assertThat(sent.get(7).values()).containsExactly(0);
        adversary.gradient(gradient(0, 4, 0, new float[0]));
        assertThat(sent).extracting(g -> g.header().sender()).endsWith(3, 3, 4, 4);
        assertThat(sent.get(8).values()).isSameAs(sent.get(6).values());
    }

    @Test
    void aRowForgedAgainAfterAFailureIsTheSame() {
        Training training =
                Runs.of(6, 2).quorum(4).attack(2, "fall-of-empires(epsilon=1)").training();
        Adversary adversary = adversary(training);
        adversary.gradient(gradient(0, 0, 2, 2));
        adversary.gradient(gradient(0, 4));
        adversary.gradient(gradient(0, 1, 4, 6));
        adversary.gradient(gradient(0, 2, 100, 100));
        assertThat(sent.get(2).values()).containsExactly(-3, -4);

        AttackPlan plan = AttackPlan.of(training, RUN);
        AttackParts parts = new AttackParts(new Slices(2, 2, 2), false);
        new Adversary(plan, parts, 0, adversary.snapshot(), sent::add).gradient(gradient(0, 5));

        assertThat(sent.get(4).header().sender()).isEqualTo(5);
        assertThat(sent.get(4).values()).containsExactly(-3, -4);
    }

    @Test
    void believesOnlyInRoundsOfItsRunThatCanHaveOpened() {
        for (String attack : List.of("fall-of-empires(epsilon=1)", "min-max", "reversed(c=1)")) {
            sent.clear();
            Adversary adversary =
                    adversary(Runs.of(3, 1).attack(1, attack).timeoutMillis(30).training());
            adversary.gradient(gradient(0, 0, 2, 2));
            GradientBlock otherRun =
                    new GradientBlock(
                            Header.gradient(RUN + 1, 1, 1, new ShardId(0, 0)),
                            0,
                            0,
                            0,
                            new float[] {9, 9});
            GradientBlock farAhead = gradient(1L << 60, 1, 9, 9);
            GradientBlock ahead = gradient(2, 2, 9, 9);
            GradientBlock otherBlock = gradient(1, 1, 1, new float[] {9, 9});
            List<GradientBlock> forged = List.of(otherRun, farAhead, ahead, otherBlock);
            forged.forEach(adversary::gradient);
            assertThat(sent).as(attack).endsWith(forged.toArray(GradientBlock[]::new)).hasSize(5);
            adversary.gradient(gradient(0, 2, 2, 2));
            adversary.gradient(gradient(0, 1, 2, 2));
            // Both honest rows are (2, 2), and so is the attacker's own.
            float expected = attack.equals("min-max") ? 2 : -2;
            assertThat(sent)
                    .as(attack)
                    .filteredOn(g -> g.header().sender() == 2 && g.header().round() == 0)
                    .singleElement()
                    .satisfies(g -> assertThat(g.values()).containsExactly(expected, expected));
        }
    }

    @Test
    void passesOnWhatWaitsWhenTheRoundHasClosedWithoutIt() {
        Adversary adversary =
                adversary(Runs.of(4, 1).quorum(3).attack(1, "fall-of-empires").training());
        GradientBlock waiting = gradient(0, 3);
        adversary.gradient(waiting);
        GradientBlock next = gradient(1, 0, 1, 1);
        adversary.gradient(next);
        assertThat(sent).containsExactly(waiting, next);
    }

    /** With a staleness bound, workers may skip versions and answer versions of closed rounds. */
    @Test
    void replacesAnswersToVersionsThatMayStillCount() {
        Adversary adversary = adversary(stale("reversed(c=10)"));
        adversary.gradient(gradient(0, 0, 7, 7));
        adversary.gradient(gradient(5, 0, 7, 7));
        adversary.gradient(gradient(5, 4, 1, 2));
        adversary.gradient(gradient(1, 4, 3, 4));

        assertThat(sent.get(2).values()).containsExactly(-10, -20);
        assertThat(sent.get(3).values()).containsExactly(-30, -40);
    }

    @Test
    void anEmptyAnswerWaitsAsLongAsItMayCount() {
        Adversary adversary = adversary(stale("fall-of-empires(epsilon=1)"));
        adversary.gradient(gradient(1, 4));
        adversary.gradient(gradient(0, 0, 7, 7));
        adversary.gradient(gradient(2, 1, 8, 8));
        assertThat(sent).extracting(g -> g.header().sender()).containsExactly(0, 1);
        adversary.gradient(gradient(1, 2, 3, 4));

        assertThat(sent).extracting(g -> g.header().sender()).containsExactly(0, 1, 2, 4);
        assertThat(sent.get(3).values()).containsExactly(-3, -4);
    }

    private static Training stale(String attack) {
        return Runs.of(5, 0).quorum(1).staleness(4).attack(1, attack).training();
    }

    @Test
    void anAttackThatCannotWorkIsRefusedBeforeTheRun() {
        assertThatThrownBy(() -> Runs.of(5, 1).attack(1, "mimic(4)").training())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number of honest rows, which is 4, got 4");
    }

    /** Sends its own gradient back to front. */
    private record Backwards() implements Attack {
        @Override
        public String name() {
            return "backwards";
        }

        @Override
        public Sees sees() {
            return Sees.OWN;
        }

        @Override
        public boolean whole() {
            return true;
        }

        @Override
        public float[] forge(
                int attacker, int block, Round round, float[] own, float[][] honest, int length) {
            float[] row = new float[length];
            for (int i = 0; i < length; i++) {
                row[i] = own[length - 1 - i];
            }
            return row;
        }
    }

    /**
     * Where servers exchange models, one may be told of the next round before the last row came.
     */
    @Test
    void rowsOfTheNextRoundDoNotEndTheOneBefore() {
        AttackPlan plan =
                new AttackPlan(
                        new Backwards(),
                        new AttackPlan.Suspects(0, 3, 1),
                        new AttackView.All(3, null),
                        new AttackPlan.Horizon(null, 2, 2),
                        1);
        AttackParts parts = new AttackParts(new Slices(2, 2, 2), true);
        Adversary adversary =
                new Adversary(plan, parts, 0, Adversary.initial(plan, parts), sent::add);
        adversary.gradient(gradient(0, 0, 0, new float[] {7, 7}));
        adversary.gradient(gradient(1, 0, 0, new float[] {8, 8}));
        Adversary restored = new Adversary(plan, parts, 0, adversary.snapshot(), sent::add);
        restored.gradient(gradient(0, 2, 0, new float[] {1, 2}));
        restored.gradient(gradient(1, 2, 0, new float[] {3, 4}));
        assertThat(sent).hasSize(4);
        assertThat(sent.get(2).values()).containsExactly(2, 1);
        assertThat(sent.get(3).values()).containsExactly(4, 3);
    }

    @Test
    void aWholeAttackOnTheOwnGradientWaitsForAllItsBlocks() {
        AttackPlan plan = new AttackPlan(new Backwards(), 3, 1, 3, 1);
        AttackParts parts = new AttackParts(new Slices(3, 3, 2), true);
        Adversary adversary =
                new Adversary(plan, parts, 0, Adversary.initial(plan, parts), sent::add);
        adversary.gradient(gradient(0, 2, 1, new float[] {3}));
        adversary.gradient(gradient(0, 0, 1, new float[] {7}));
        assertThat(sent).hasSize(1);
        adversary.gradient(gradient(0, 2, 0, new float[] {1, 2}));
        assertThat(sent.get(1).values()).containsExactly(3, 2);
        assertThat(sent.get(2).values()).containsExactly(1);
    }
}
